-- Looks up the shipment with the id :wanted, of a store.
SELECT orders.store_id, orders.id, orders.prefix, orders.number, document
FROM shipments
JOIN orders ON orders.id = order_uuid
WHERE shipments.store_id = :store_id
  AND orders.store_id = :store_id
  AND shipments.id = :wanted
ORDER BY order_uuid DESC, position DESC
LIMIT :count
