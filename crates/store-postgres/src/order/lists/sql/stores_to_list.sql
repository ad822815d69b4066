-- The stores with lists that may need to be built. The only statement over all stores that the list
-- builder sends.
SELECT store_id
FROM store_counters
-- Enough orders for one more segment.
WHERE last_number >= :orders * (
        1 + (
            SELECT count(*)
            FROM word_segments
            WHERE word_segments.store_id = store_counters.store_id
              AND build > 0
        )
    )
   -- Or many changed orders in a segment or outside all segments. The change records of orders
   -- outside all segments only need to be removed.
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
