-- The number of items in each status.
SELECT status, sum(items)::BIGINT
FROM (
    {asked}
) AS asked
CROSS JOIN LATERAL (
    SELECT item ->> 1 AS status, count(*) AS items
    FROM order_states
    -- The state of an item is a list: its number, its status, and what else there is.
    CROSS JOIN LATERAL json_array_elements(order_states.items::JSON) AS item
    WHERE order_states.store_id = {asked.store}
    GROUP BY status
    OFFSET 0
) AS of_store
GROUP BY status
