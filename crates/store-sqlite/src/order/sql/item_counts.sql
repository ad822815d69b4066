-- The number of items of a store in each status.
SELECT item.value ->> 1 AS status, count(*)
FROM order_states
-- The state of an item is a list: its number, its status, and what else there is.
CROSS JOIN json_each(order_states.items) AS item
WHERE within_time()
  AND order_states.store_id = :store_id
GROUP BY status
