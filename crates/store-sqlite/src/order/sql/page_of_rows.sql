-- A page of the orders with the `row_id`s in the JSON list :rows, newest first, without their items.
SELECT
    orders.store_id, orders.id, orders.order_id, orders.prefix, orders.number, orders.label_url,
    orders.source, orders.test, orders.currency, orders.email, orders.shipping_address,
    orders.billing_address, orders.customer_first_name, orders.customer_last_name,
    orders.production_note, orders.fingerprint, orders.art, orders.bill, orders.priced_at,
    orders.size
FROM (
    SELECT row_id AS hit
    FROM (SELECT value FROM json_each(:rows)) AS hits
    -- CROSS JOIN makes SQLite look up each order by its row_id.
    CROSS JOIN orders ON row_id = hits.value
    WHERE store_id = :store_id
      AND id >= :from_id
      AND id < :before_id
    ORDER BY id DESC
    LIMIT :limit
    OFFSET :offset
)
-- CROSS JOIN makes SQLite read the hits first.
CROSS JOIN orders ON row_id = hit
ORDER BY id DESC
