-- Sequences, orders and sizes of the events of a page.
SELECT
    sequence,
    order_uuid,
    {bytes} AS bytes
FROM order_events
WHERE order_events.store_id = :store_id
  AND sequence > :after
  AND sequence <= :until
  AND (:types IS NULL OR kind = ANY(:types))
  AND (:order_id IS NULL OR order_uuid = :order_id)
ORDER BY sequence
LIMIT :limit
