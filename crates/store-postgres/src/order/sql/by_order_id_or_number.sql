-- The order with the caller's id, else the one with the number, with its items in an array.
-- One look-up after the other costs half of both at once, as nothing is left to sort.
SELECT
    orders.*,
    ARRAY(
        SELECT ROW(line_items.*)::item_row
        FROM line_items
        WHERE line_items.store_id = :store_id
          AND line_items.order_uuid = orders.id
        ORDER BY position
    )
FROM orders
WHERE orders.store_id = :store_id
  AND id = COALESCE(
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND order_id = :order_id),
      (SELECT id FROM orders WHERE orders.store_id = :store_id AND number = :number)
  )
