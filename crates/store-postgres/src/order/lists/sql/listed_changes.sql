-- Removes the change records that the new lists include. Later changes of the same orders have
-- other values of "replaced" and stay.
DELETE FROM changed_words
USING UNNEST(:ids::TEXT[], :replaced::BIGINT[]) AS listed(id, replaced)
WHERE changed_words.store_id = :store_id
  AND changed_words.id = listed.id
  AND changed_words.replaced = listed.replaced
