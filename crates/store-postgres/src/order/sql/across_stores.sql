-- The common table `nearest`: store and status bitmask of orders that match a filter of statuses
-- and types, for the combinations whose first order is among the first :count. Only these stores
-- and bitmasks can have orders among the first :count of the query.
WITH RECURSIVE
asked AS MATERIALIZED (
    {asked}
),
-- The bitmasks that occur in each store, a few dozen at most, each with the id of its first order
-- in the query's direction. Each takes one look-up in the index.
masks AS (
    SELECT asked.store_id, first.status_mask, first.id
    FROM asked
    CROSS JOIN LATERAL (
        SELECT status_mask, id
        FROM order_states
        WHERE order_states.store_id = {asked.store}
        ORDER BY status_mask {direction}, id {direction}
        LIMIT 1
    ) AS first
    UNION ALL
    SELECT masks.store_id, next.status_mask, next.id
    FROM masks
    CROSS JOIN LATERAL (
        SELECT status_mask, id
        FROM order_states
        WHERE order_states.store_id = {masks.store}
          AND order_states.status_mask {behind} masks.status_mask
        ORDER BY status_mask {direction}, id {direction}
        LIMIT 1
    ) AS next
),
-- The first order of each bitmask within the window. The order found above saves a look-up if it is in the window.
heads AS MATERIALIZED (
    SELECT
        masks.store_id,
        masks.status_mask,
        CASE WHEN id >= :from_id AND id < :before_id THEN id ELSE (
            SELECT order_states.id
            FROM order_states
            WHERE order_states.store_id = {masks.store}
              -- In index order, as in of_status.sql.
              AND (order_states.status_mask, order_states.id) >= (masks.status_mask, :from_id)
              AND (order_states.status_mask, order_states.id) < (masks.status_mask, :before_id)
            ORDER BY order_states.status_mask {direction}, order_states.id {direction}
            LIMIT 1
        ) END AS id
    FROM masks
    WHERE status_mask & :statuses <> 0
      AND status_mask & :kinds <> 0
),
nearest AS MATERIALIZED (
    SELECT store_id, status_mask
    FROM heads
    WHERE id IS NOT NULL
    ORDER BY id {direction}
    LIMIT :count
),
-- The first orders of the query.
first_orders AS MATERIALIZED (
    SELECT nearest.store_id, of_mask.id
    FROM nearest
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = {nearest.store}
          AND (order_states.status_mask, id) >= (nearest.status_mask, :from_id)
          AND (order_states.status_mask, id) < (nearest.status_mask, :before_id)
        ORDER BY order_states.status_mask {direction}, id {direction}
        -- The subquery hides the value from the planner, so that one plan serves all queries.
        LIMIT (SELECT :count)
    ) AS of_mask
    ORDER BY id {direction}
    LIMIT :count
)
