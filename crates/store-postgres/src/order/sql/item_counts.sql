-- The number of items in each status.
WITH
asked AS MATERIALIZED (
    {asked}
),
-- The orders of each mask of statuses: their items, and the states of those of one order.
by_mask AS MATERIALIZED (
    SELECT of_store.*
    FROM asked
    CROSS JOIN LATERAL (
        SELECT
            status_mask & :every_status AS statuses,
            -- The state of an item is a list without further lists in it, which is much less work to count
            -- than to read.
            sum(length(items) - length(replace(items, '[', '')) - 1) AS item_count,
            min(items COLLATE "C") AS some_items
        FROM order_states
        WHERE order_states.store_id = {asked.store}
        GROUP BY statuses
        OFFSET 0
    ) AS of_store
),
counts AS (
    -- All items of an order with one status have it.
    SELECT some_items::JSON -> 0 ->> 1 AS status, item_count
    FROM by_mask
    WHERE statuses & (statuses - 1) = 0
    UNION ALL
    SELECT item ->> 1, 1
    FROM asked
    CROSS JOIN LATERAL (
        SELECT items
        FROM order_states
        WHERE order_states.store_id = {asked.store}
          AND (status_mask & :every_status) & ((status_mask & :every_status) - 1) <> 0
        OFFSET 0
    ) AS mixed
    -- The state of an item: its number, its status, and what else there is.
    CROSS JOIN LATERAL json_array_elements(mixed.items::JSON) AS item
)
SELECT status, sum(item_count)::BIGINT
FROM counts
GROUP BY status
