-- The stores that may have something to do for the task that builds lists. It is the one statement
-- about all stores here.
SELECT store_id
FROM store_counters
WHERE last_number >= :orders * (
        1 + (
            SELECT count(*)
            FROM word_segments
            WHERE word_segments.store_id = store_counters.store_id
              AND build > 0
        )
    )
   -- Many changed orders of a segment, or of none: the records of these are only removed.
   OR EXISTS (
        SELECT
        FROM changed_words
        LEFT JOIN word_segments
          ON word_segments.store_id = store_counters.store_id
         AND id >= from_id
         AND id < before_id
        WHERE changed_words.store_id = store_counters.store_id
        GROUP BY segment
        HAVING count(*) > :changes
    )
ORDER BY store_id
