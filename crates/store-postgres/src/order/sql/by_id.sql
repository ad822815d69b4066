-- The order with an id, with its items in an array.
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
  AND id = :id
