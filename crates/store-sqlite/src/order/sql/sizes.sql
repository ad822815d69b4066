-- The sizes of the orders with some `row_id`s, a JSON list, in the order of the list.
SELECT orders.store_id, orders.id, orders.size
FROM json_each(:rows) AS places
CROSS JOIN orders ON row_id = places.value
ORDER BY places.key
