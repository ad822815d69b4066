-- The states of the orders in the JSON list :ids.
SELECT order_states.*
FROM json_each(:ids) AS wanted
CROSS JOIN order_states ON order_states.id = wanted.value
WHERE order_states.store_id = :store_id
