-- The operators' fee lines of the orders in the JSON list :ids, each with the id of its order.
SELECT order_uuid, document
FROM json_each(:ids) AS wanted
CROSS JOIN fee_corrections ON fee_corrections.order_uuid = wanted.value
WHERE fee_corrections.store_id = :store_id
ORDER BY order_uuid, position
