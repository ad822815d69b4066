-- Looks up shipments of orders with ids below :wanted, of a store.
SELECT orders.store_id, orders.id, orders.prefix, orders.number, document
FROM shipments
JOIN orders ON orders.id = order_uuid
WHERE shipments.store_id = :store_id
  AND orders.store_id = :store_id
  AND order_uuid < :wanted
ORDER BY order_uuid DESC, position DESC
LIMIT :count
