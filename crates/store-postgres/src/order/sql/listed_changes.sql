-- Removes the records of changes that the lists contain.
DELETE FROM changed_words
USING UNNEST(:ids, :replaced) AS listed(id, replaced)
WHERE changed_words.store_id = :store_id
  AND changed_words.id = listed.id
  AND changed_words.replaced = listed.replaced
