-- The newest orders with a status bitmask within a range of ids, with their `row_id`s.
SELECT order_states.id, orders.row_id
FROM order_states INDEXED BY order_states_by_status
CROSS JOIN orders USING (store_id, id)
WHERE within_time()
  AND order_states.store_id = :store_id
  AND order_states.status_bitmask = :status_bitmask
  AND order_states.id >= :from_id
  AND order_states.id < :before_id
ORDER BY order_states.id DESC
LIMIT :limit
