-- The shipments of the orders in the JSON list :ids, each with the id of its order.
SELECT order_uuid, document
FROM json_each(:ids) AS wanted
CROSS JOIN shipments ON shipments.order_uuid = wanted.value
WHERE shipments.store_id = :store_id
ORDER BY order_uuid, position
