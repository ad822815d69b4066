-- The chunks of a store that overlap a window, newest first, with their ranges of ids.
SELECT chunk, from_id, before_id
FROM (
    SELECT
        chunk,
        from_id,
        -- The latest chunk has no end: a tilde sorts after all ids.
        lead(from_id, 1, '~') OVER (ORDER BY from_id) AS before_id
    FROM order_chunks
    WHERE store_id = :store_id
)
WHERE from_id < :before_id
  AND before_id > :from_id
ORDER BY from_id DESC
