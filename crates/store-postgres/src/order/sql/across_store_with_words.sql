-- The first orders of one of several stores, with their sizes, and whether they match a key.
--
-- The common table `nearest`: store and status bitmask of orders that match a filter of statuses
-- and types, for the combinations whose first order is among the first :count. No other
-- store or bitmask can have orders among the first :count of the query.
WITH RECURSIVE
asked AS MATERIALIZED (
    SELECT store_id
    FROM event_counters
    WHERE event_counters.store_id = :store_id
),
-- The bitmasks that occur in each store, a few dozen at most, each with the id of its first order
-- in the query's direction. Each takes one look-up in the index.
bitmasks AS (
    SELECT asked.store_id, first.status_bitmask, first.id
    FROM asked
    CROSS JOIN LATERAL (
        SELECT status_bitmask, id
        FROM order_states
        WHERE order_states.store_id = :store_id
        ORDER BY status_bitmask {direction}, id {direction}
        LIMIT 1
    ) AS first
    UNION ALL
    SELECT bitmasks.store_id, next.status_bitmask, next.id
    FROM bitmasks
    CROSS JOIN LATERAL (
        SELECT status_bitmask, id
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND order_states.status_bitmask {behind} bitmasks.status_bitmask
        ORDER BY status_bitmask {direction}, id {direction}
        LIMIT 1
    ) AS next
),
-- The first order of each bitmask within the window. The order found above saves a look-up if it is
-- in the window.
heads AS MATERIALIZED (
    SELECT
        bitmasks.store_id,
        bitmasks.status_bitmask,
        CASE WHEN id >= :from_id AND id < :before_id THEN id ELSE (
            SELECT order_states.id
            FROM order_states
            WHERE order_states.store_id = :store_id
              -- In index order, as in of_status.sql.
              AND (order_states.status_bitmask, order_states.id)
                  >= (bitmasks.status_bitmask, :from_id)
              AND (order_states.status_bitmask, order_states.id)
                  < (bitmasks.status_bitmask, :before_id)
            ORDER BY order_states.status_bitmask {direction}, order_states.id {direction}
            LIMIT 1
        ) END AS id
    FROM bitmasks
    WHERE status_bitmask & :statuses <> 0
      AND status_bitmask & :kinds <> 0
),
nearest AS MATERIALIZED (
    SELECT store_id, status_bitmask
    FROM heads
    WHERE id IS NOT NULL
    ORDER BY id {direction}
    LIMIT :count
),
-- The first orders of the query.
first_orders AS MATERIALIZED (
    SELECT nearest.store_id, of_bitmask.id
    FROM nearest
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND (order_states.status_bitmask, id) >= (nearest.status_bitmask, :from_id)
          AND (order_states.status_bitmask, id) < (nearest.status_bitmask, :before_id)
        ORDER BY order_states.status_bitmask {direction}, id {direction}
        -- The subquery hides the value from the planner, so that one plan serves all queries.
        LIMIT (SELECT :count::BIGINT)
    ) AS of_bitmask
    ORDER BY id {direction}
    LIMIT :count
)
SELECT store_id, id, size, is_hit
FROM first_orders
CROSS JOIN LATERAL (
    SELECT
        words @@ replace(
            (SELECT :tsquery::TEXT),
            chr(1),
            left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)
        )::tsquery AS is_hit
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND order_words.id = first_orders.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS words
CROSS JOIN LATERAL (
    SELECT size
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = first_orders.id
    OFFSET 0
) AS sizes
ORDER BY id {direction}
