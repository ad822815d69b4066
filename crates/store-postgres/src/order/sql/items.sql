-- The items of an order as an array. A part of the statements that read whole orders.
ARRAY(
    SELECT ROW(line_items.*)::item_row
    FROM line_items
    WHERE line_items.store_id = {store}
      AND line_items.order_uuid = orders.id
    ORDER BY position
)
