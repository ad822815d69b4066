-- The number of items in each status, of at most :limit orders of each status bitmask. :bitmasks
-- are the bitmasks of orders in which all items have one status and no item was removed. :statuses
-- has the status for each bitmask. The index contains the number of items of such orders.
WITH RECURSIVE
asked AS MATERIALIZED (
    SELECT store_id
    FROM event_counters
    WHERE event_counters.store_id = :store_id
),
-- The bitmasks that occur in each store, found one by one as in of_status.sql.
bitmasks AS (
    SELECT asked.store_id, first.status_bitmask
    FROM asked
    CROSS JOIN LATERAL (
        SELECT status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
        ORDER BY status_bitmask
        LIMIT 1
    ) AS first
    UNION ALL
    SELECT bitmasks.store_id, next.status_bitmask
    FROM bitmasks
    CROSS JOIN LATERAL (
        SELECT status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND order_states.status_bitmask > bitmasks.status_bitmask
        ORDER BY status_bitmask
        LIMIT 1
    ) AS next
),
-- The bitmasks to count; the status is NULL for orders with items in several statuses.
wanted AS MATERIALIZED (
    SELECT status_bitmask, uniform.status
    FROM (SELECT DISTINCT status_bitmask FROM bitmasks) AS present
    LEFT JOIN UNNEST(:bitmasks::SMALLINT[], :statuses::TEXT[]) AS uniform(bitmask, status)
      ON bitmask = status_bitmask
    WHERE status_bitmask & :wanted <> 0
)
SELECT counted.status, sum(counted.items)::BIGINT AS items
FROM wanted
CROSS JOIN LATERAL (
    -- Orders in one status: the index alone has the number of items.
    SELECT wanted.status, sum(item_count) AS items
    FROM (
        SELECT of_bitmask.item_count
        FROM bitmasks
        CROSS JOIN LATERAL (
            SELECT item_count
            FROM order_states
            WHERE order_states.store_id = :store_id
              AND order_states.status_bitmask = wanted.status_bitmask
            -- Keeps the planner from joining in any other way than store by store.
            OFFSET 0
        ) AS of_bitmask
        WHERE bitmasks.status_bitmask = wanted.status_bitmask
          AND wanted.status IS NOT NULL
        LIMIT (SELECT :limit::BIGINT)
    ) AS orders
    UNION ALL
    -- Orders in several statuses: the items are counted in the JSON documents.
    SELECT same ->> 1, (same -> 0 ->> 1)::BIGINT - (same -> 0 ->> 0)::BIGINT + 1
    FROM (
        SELECT of_bitmask.items
        FROM bitmasks
        CROSS JOIN LATERAL (
            SELECT items
            FROM order_states
            WHERE order_states.store_id = :store_id
              AND order_states.status_bitmask = wanted.status_bitmask
            OFFSET 0
        ) AS of_bitmask
        WHERE bitmasks.status_bitmask = wanted.status_bitmask
          AND wanted.status IS NULL
        LIMIT (SELECT :limit::BIGINT)
    ) AS mixed
    -- Each element is a range of items in the same state: first and last number, status, and
    -- further values.
    CROSS JOIN LATERAL json_array_elements(mixed.items::JSON) AS same
) AS counted
WHERE counted.status IS NOT NULL
GROUP BY counted.status
