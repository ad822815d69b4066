-- The common table `nearest`: of each store and each mask that a filter of statuses and types finds, the
-- first order of a walk, for those of which it is among the first :count of all. Only these stores and
-- masks can have orders among the first :count.
WITH RECURSIVE
asked AS MATERIALIZED (
    {asked}
),
-- The masks that occur in each store, a few dozens at most. Each takes one look into the index.
masks AS (
    SELECT
        asked.store_id,
        (
            SELECT min(status_mask)
            FROM order_states
            WHERE order_states.store_id = {asked.store}
        ) AS status_mask
    FROM asked
    UNION ALL
    SELECT
        masks.store_id,
        (
            SELECT min(order_states.status_mask)
            FROM order_states
            WHERE order_states.store_id = {masks.store}
              AND order_states.status_mask > masks.status_mask
        )
    FROM masks
    -- The last one has none after it.
    WHERE status_mask IS NOT NULL
),
heads AS MATERIALIZED (
    SELECT
        masks.store_id,
        masks.status_mask,
        (
            SELECT id
            FROM order_states
            WHERE order_states.store_id = {masks.store}
              AND order_states.status_mask = masks.status_mask
              AND id >= :from_id
              AND id < :before_id
            ORDER BY id {direction}
            LIMIT 1
        ) AS id
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
-- The first orders of the walk.
first_orders AS MATERIALIZED (
    SELECT nearest.store_id, of_mask.id
    FROM nearest
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = {nearest.store}
          AND order_states.status_mask = nearest.status_mask
          AND id >= :from_id
          AND id < :before_id
        ORDER BY id {direction}
        -- A value that the planner does not see, so that it plans the statement once for any walk.
        LIMIT (SELECT :count)
    ) AS of_mask
    ORDER BY id {direction}
    LIMIT :count
)
