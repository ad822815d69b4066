-- The order with the store's order id, or else the order with the number, with its items in an
-- array. Two look-ups in sequence cost half as much as one condition with OR, because no result has
-- to be sorted.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM orders
{state}
WHERE orders.store_id = :store_id
  AND orders.id = COALESCE(
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND order_id = :order_id),
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND number = :number)
  )
