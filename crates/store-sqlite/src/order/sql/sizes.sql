-- The sizes of the orders with the `row_id`s in the JSON list :rows, in the order of the list.
SELECT orders.store_id, orders.id, orders.size
FROM json_each(:rows) AS places
CROSS JOIN orders ON row_id = places.value
ORDER BY places.key
