-- The items of the orders in the JSON list :ids.
SELECT line_items.*
FROM line_items
WHERE store_id = :store_id
  AND order_uuid IN (SELECT value FROM json_each(:ids))
ORDER BY order_uuid, position
