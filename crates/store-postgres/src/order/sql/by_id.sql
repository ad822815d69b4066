-- The order with an id, with its items in an array.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM orders
{state}
WHERE orders.store_id = :store_id
  AND orders.id = :id
