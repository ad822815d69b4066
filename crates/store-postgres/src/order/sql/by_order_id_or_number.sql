-- The order with the caller's id, else the one with the number, with its items in an array.
-- One look-up after the other costs half of both at once, as nothing is left to sort.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM orders
{state}
WHERE orders.store_id = :store_id
  AND orders.id = COALESCE(
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND order_id = :order_id),
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND number = :number)
  )
