-- The newest orders that match a filter of statuses and types and a key, newest first; and the id
-- below which further orders follow, NULL if there are none.
--
-- The common table `of_status`: the ids of the newest orders that match a filter of statuses and
-- types, up to :wanted orders of each status bitmask.
WITH RECURSIVE
-- The bitmasks that occur in the store, a few dozen. Each takes one look-up in the index.
bitmasks AS (
    (
        SELECT status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
        ORDER BY status_bitmask
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT order_states.status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND order_states.status_bitmask > bitmasks.status_bitmask
        ORDER BY order_states.status_bitmask
        LIMIT 1
    )
    FROM bitmasks
    -- The last step finds no larger bitmask.
    WHERE status_bitmask IS NOT NULL
),
of_status AS (
    SELECT id
    FROM (
        SELECT status_bitmask
        FROM bitmasks
        WHERE status_bitmask & :statuses <> 0
          AND status_bitmask & :kinds <> 0
    ) AS chosen
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = :store_id
          -- Row comparison, so that the ids of one bitmask are read in index order. Otherwise the
          -- planner may take the primary key, even in a table without statistics, and read the
          -- orders of all bitmasks.
          AND (order_states.status_bitmask, id) >= (chosen.status_bitmask, :from_id)
          AND (order_states.status_bitmask, id) < (chosen.status_bitmask, :before_id)
        ORDER BY order_states.status_bitmask DESC, id DESC
        -- The subquery hides the value from the planner, so that one plan serves all pages.
        LIMIT (SELECT :wanted::BIGINT)
    ) AS of_bitmask
),
newest AS MATERIALIZED (
    SELECT id
    FROM of_status
    ORDER BY id DESC
    LIMIT :wanted
),
found AS MATERIALIZED (
    SELECT id, chunk, words
    FROM newest
    CROSS JOIN LATERAL (
        SELECT chunk, words
        FROM order_words
        WHERE order_words.store_id = :store_id
          AND order_words.id = newest.id
        -- Keeps the planner from joining in any other way than order by order.
        OFFSET 0
    ) AS of_order
)
SELECT
    ARRAY(
        SELECT id
        FROM (
            SELECT
                chunk,
                replace(
                    (SELECT :tsquery::TEXT),
                    chr(1),
                    left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)
                )::tsquery AS tsquery
            FROM (
                SELECT chunk, :store_id::TEXT AS store_id
                FROM (SELECT DISTINCT chunk FROM found) AS chunks
            ) AS chunks
            -- Computes the query once for each chunk.
            OFFSET 0
        ) AS queries
        JOIN found USING (chunk)
        WHERE words @@ tsquery
        ORDER BY id DESC
    ) AS ids,
    -- Fewer orders than wanted mean that there are no further orders.
    (SELECT min(id) FROM newest HAVING count(*) = :wanted) AS before_id
