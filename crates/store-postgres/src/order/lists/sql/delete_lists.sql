DELETE FROM word_lists
WHERE word_lists.store_id = :store_id
  AND word_lists.segment = :segment
