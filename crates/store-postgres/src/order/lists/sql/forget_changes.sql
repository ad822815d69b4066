-- Removes the change records of orders that belong to no segment: lists built later will include
-- their words.
DELETE FROM changed_words
WHERE changed_words.store_id = :store_id
  AND id >= COALESCE(
      (SELECT max(before_id) FROM word_segments WHERE word_segments.store_id = :store_id),
      ''
  )
