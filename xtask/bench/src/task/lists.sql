-- Counts the stores with enough orders after their word lists to fill another segment.
SELECT count(*)::text AS value
FROM store_counters
WHERE 16384 < (
    SELECT count(*)
    FROM order_words
    WHERE order_words.store_id = store_counters.store_id
      AND id < chunk_from
      AND id >= COALESCE(
          (
              SELECT max(before_id)
              FROM word_segments
              WHERE word_segments.store_id = store_counters.store_id AND build > 0
          ),
          ''
      )
)
