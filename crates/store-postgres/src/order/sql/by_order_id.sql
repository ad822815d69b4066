-- The order with the caller's id, with its items in an array.
SELECT orders.*, {items}
FROM orders
WHERE orders.store_id = :store_id
  AND order_id = :order_id
