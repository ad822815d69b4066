-- The orders with the ids in the JSON list :ids, in the order of the list, without their items.
SELECT
    orders.store_id, orders.id, orders.order_id, orders.prefix, orders.number, orders.label_url,
    orders.source, orders.test, orders.currency, orders.email, orders.shipping_address,
    orders.billing_address, orders.customer_first_name, orders.customer_last_name,
    orders.production_note, orders.fingerprint, orders.art, orders.bill, orders.priced_at,
    orders.size
FROM json_each(:ids) AS wanted
CROSS JOIN orders ON orders.id = wanted.value
WHERE orders.store_id = :store_id
ORDER BY wanted.key
