-- A line item of a new order.
INSERT INTO line_items (
    store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity, ship_class,
    unit_cost
)
VALUES (
    :store_id, :order_uuid, :position, :id, :ref_id, :name, :name_given, :sku, :quantity,
    :ship_class, :unit_cost
)
