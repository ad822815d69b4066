-- Locks a segment of a store with lists to build: the segment without lists, or else the segment
-- with the most changed orders if they are more than :changes. Returns no row if another server
-- builds the segment.
SELECT segment, from_id, before_id
FROM word_segments
WHERE word_segments.store_id = :store_id
  AND segment = COALESCE(
      -- Segments are built in order, so that segments with lists have no gaps.
      (
          SELECT min(segment)
          FROM word_segments
          WHERE word_segments.store_id = :store_id
            AND build = 0
      ),
      (
          SELECT segment
          FROM word_segments
          JOIN changed_words
            ON changed_words.store_id = :store_id
           AND id >= from_id
           AND id < before_id
          WHERE word_segments.store_id = :store_id
          GROUP BY segment
          HAVING count(*) > :changes
          ORDER BY count(*) DESC
          LIMIT 1
      )
  )
FOR UPDATE SKIP LOCKED
