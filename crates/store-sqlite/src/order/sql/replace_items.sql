-- A line item of a changed order. Replaces the stored item at the same position, if any.
REPLACE INTO line_items (
    store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity, ship_class,
    unit_cost
)
VALUES (
    :store_id, :order_uuid, :position, :id, :ref_id, :name, :name_given, :sku, :quantity,
    :ship_class, :unit_cost
)
