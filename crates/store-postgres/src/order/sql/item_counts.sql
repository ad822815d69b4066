-- The number of items in each status, of at most :limit orders of each status bitmask. :masks are
-- the bitmasks of orders whose items all have one status and were never removed, :statuses their
-- statuses. The index contains the number of items of such orders.
WITH RECURSIVE
asked AS MATERIALIZED (
    {asked}
),
-- The bitmasks that occur in each store, as in walk.sql.
masks AS (
    SELECT asked.store_id, first.status_mask
    FROM asked
    CROSS JOIN LATERAL (
        SELECT status_mask
        FROM order_states
        WHERE order_states.store_id = {asked.store}
        ORDER BY status_mask
        LIMIT 1
    ) AS first
    UNION ALL
    SELECT masks.store_id, next.status_mask
    FROM masks
    CROSS JOIN LATERAL (
        SELECT status_mask
        FROM order_states
        WHERE order_states.store_id = {masks.store}
          AND order_states.status_mask > masks.status_mask
        ORDER BY status_mask
        LIMIT 1
    ) AS next
),
-- The bitmasks to count; the status is NULL for orders with items in several statuses.
wanted AS MATERIALIZED (
    SELECT status_mask, uniform.status
    FROM (SELECT DISTINCT status_mask FROM masks) AS present
    LEFT JOIN UNNEST(:masks, :statuses) AS uniform(mask, status) ON mask = status_mask
    WHERE status_mask & :wanted <> 0
)
SELECT counted.status, sum(counted.items)::BIGINT
FROM wanted
CROSS JOIN LATERAL (
    -- Orders in one status: the index alone has the number of items.
    SELECT wanted.status, sum(item_count) AS items
    FROM (
        SELECT of_mask.item_count
        FROM masks
        CROSS JOIN LATERAL (
            SELECT item_count
            FROM order_states
            WHERE order_states.store_id = {masks.store}
              AND order_states.status_mask = wanted.status_mask
            -- Keeps the planner from joining in any other way than store by store.
            OFFSET 0
        ) AS of_mask
        WHERE masks.status_mask = wanted.status_mask
          AND wanted.status IS NOT NULL
        LIMIT (SELECT :limit)
    ) AS orders
    UNION ALL
    -- Orders in several statuses: the items are counted in the JSON documents.
    SELECT same ->> 1, (same -> 0 ->> 1)::BIGINT - (same -> 0 ->> 0)::BIGINT + 1
    FROM (
        SELECT of_mask.items
        FROM masks
        CROSS JOIN LATERAL (
            SELECT items
            FROM order_states
            WHERE order_states.store_id = {masks.store}
              AND order_states.status_mask = wanted.status_mask
            OFFSET 0
        ) AS of_mask
        WHERE masks.status_mask = wanted.status_mask
          AND wanted.status IS NULL
        LIMIT (SELECT :limit)
    ) AS mixed
    -- Each element is a range of items in the same state: first and last number, status, and
    -- further values.
    CROSS JOIN LATERAL json_array_elements(mixed.items::JSON) AS same
) AS counted
WHERE counted.status IS NOT NULL
GROUP BY counted.status
