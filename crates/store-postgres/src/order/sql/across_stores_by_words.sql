-- The first orders of a cross-store query that match a key, with their sizes. The word index is
-- read chunk by chunk, because each chunk of each store has its own word prefix.
WITH
asked AS MATERIALIZED (
    SELECT store_id
    FROM stores
    WHERE (:with_test OR NOT test)
      AND (:every OR store_id = ANY(:stores))
),
-- The chunks that overlap the window, each with its query.
chunks AS MATERIALIZED (
    SELECT
        store_id,
        chunk,
        replace(
            (SELECT :tsquery::TEXT),
            chr(1),
            left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)
        )::tsquery AS tsquery
    FROM (
        SELECT
            asked.store_id,
            generate_series(
                width_bucket(:from_id, chunks_from),
                width_bucket(:before_id, chunks_from)
            ) AS chunk
        FROM asked
        CROSS JOIN LATERAL (
            SELECT chunks_from
            FROM store_counters
            WHERE store_counters.store_id = asked.store_id
        ) AS of_store
    ) AS numbered
),
hits AS MATERIALIZED (
    SELECT chunks.store_id, found.id
    FROM chunks
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_words
        WHERE words @@ chunks.tsquery
          -- Another chunk, even of another store, may have the same word prefix. IS TRUE keeps the
          -- planner from using the conditions with the primary key: it would read all orders.
          AND (
              order_words.store_id = chunks.store_id
              AND order_words.chunk = chunks.chunk
              AND id >= :from_id
              AND id < :before_id
          ) IS TRUE
        OFFSET 0
    ) AS found
),
-- Matches that also match the filter of statuses and types.
first_orders AS MATERIALIZED (
    SELECT hits.store_id, hits.id
    FROM hits
    CROSS JOIN LATERAL (
        SELECT status_bitmask
        FROM order_states
        WHERE order_states.store_id = hits.store_id
          AND order_states.id = hits.id
        -- Keeps the planner from joining in any other way than order by order.
        OFFSET 0
    ) AS states
    WHERE status_bitmask & :statuses <> 0
      AND status_bitmask & :kinds <> 0
    ORDER BY id {direction}
    LIMIT :count
)
SELECT store_id, id, size, true AS is_hit
FROM first_orders
CROSS JOIN LATERAL (
    SELECT size
    FROM orders
    WHERE orders.store_id = first_orders.store_id
      AND orders.id = first_orders.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS sizes
ORDER BY id {direction}
