-- The order with the store's order id, and the order with the number or the id: one order, or two
-- if the name fits both. With their items in an array. Each key is looked up by itself, which costs
-- half as much as one condition with OR; a NULL costs nothing.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM orders
{state}
WHERE orders.store_id = :store_id
  AND orders.id = ANY(ARRAY[
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND order_id = :order_id),
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND number = :number),
      :id
  ])
