-- The items of the orders in the JSON list :ids.
SELECT
    store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity, ship_class,
    unit_cost
FROM line_items
WHERE store_id = :store_id
  AND order_uuid IN (SELECT value FROM json_each(:ids))
ORDER BY order_uuid, position
