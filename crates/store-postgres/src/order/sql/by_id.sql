-- The order with an id, with its items in an array.
SELECT orders.*, {items}
FROM orders
WHERE orders.store_id = :store_id
  AND id = :id
