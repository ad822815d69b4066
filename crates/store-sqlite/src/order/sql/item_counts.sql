-- The number of items of a store in each status.
SELECT same.value ->> 1 AS status, sum((same.value -> 0 ->> 1) - (same.value -> 0 ->> 0) + 1)
FROM order_states
-- Items in the same state are a list: the first and the last number, the status, and what else there is.
CROSS JOIN json_each(order_states.items) AS same
WHERE within_time()
  AND order_states.store_id = :store_id
GROUP BY status
