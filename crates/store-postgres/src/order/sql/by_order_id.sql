-- The order with the store's order id, with its items in an array.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM orders
{state}
WHERE orders.store_id = :store_id
  AND order_id = :order_id
