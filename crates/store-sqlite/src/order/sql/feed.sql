-- Events of a store after the sequence :after and up to :until, ascending, each with the size of its order
-- and what identifies it. The rows are read one by one, until there are enough.
SELECT
    order_events.*,
    orders.size,
    orders.id,
    orders.order_id,
    orders.source,
    orders.prefix,
    orders.number,
    orders.currency,
    orders.test
FROM order_events
LEFT JOIN orders ON orders.store_id = :store_id AND orders.id = order_uuid
WHERE order_events.store_id = :store_id
  AND sequence > :after
  AND sequence <= :until
  AND (:types IS NULL OR kind IN (SELECT value FROM json_each(:types)))
  AND (:order_id IS NULL OR order_uuid = :order_id)
ORDER BY sequence
