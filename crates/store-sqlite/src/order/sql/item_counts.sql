-- The number of items of a store in each status. :uniform are the masks of orders whose items all have one status and of
-- which none was removed, with these statuses: the index has the numbers of these items.
WITH
uniform AS MATERIALIZED (
    SELECT value ->> 0 AS mask, value ->> 1 AS status
    FROM json_each(:uniform)
),
by_mask AS MATERIALIZED (
    SELECT status_mask, sum(item_count) AS items
    FROM order_states
    WHERE within_time()
      AND store_id = :store_id
    GROUP BY status_mask
)
SELECT status, sum(items)
FROM (
    SELECT status, items
    FROM by_mask
    JOIN uniform ON mask = status_mask
    UNION ALL
    SELECT same.value ->> 1, (same.value -> 0 ->> 1) - (same.value -> 0 ->> 0) + 1
    FROM by_mask
    -- Without statistics, the primary key seems as good, by which all orders of the store would be read for each mask.
    CROSS JOIN order_states INDEXED BY order_states_by_status
        ON order_states.store_id = :store_id
        AND order_states.status_mask = by_mask.status_mask
    -- Items in the same state: the first and the last number, the status, and what else there is.
    CROSS JOIN json_each(order_states.items) AS same
    WHERE by_mask.status_mask NOT IN (SELECT mask FROM uniform)
      AND within_time()
)
GROUP BY status
