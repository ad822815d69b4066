-- The orders with the ids in the JSON list :ids, in the order of the list, without their items.
SELECT orders.*
FROM json_each(:ids) AS wanted
CROSS JOIN orders ON orders.id = wanted.value
WHERE orders.store_id = :store_id
ORDER BY wanted.key
