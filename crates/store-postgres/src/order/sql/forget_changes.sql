-- Removes the records of changed orders that belong to no segment yet: lists that are built later have
-- their words.
DELETE FROM changed_words
WHERE changed_words.store_id = :store_id
  AND id >= COALESCE(
      (SELECT max(before_id) FROM word_segments WHERE word_segments.store_id = :store_id),
      ''
  )
