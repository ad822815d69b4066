-- Events of a store after the sequence :after and up to :until, ascending, each with the size and
-- identity of its order. Without a limit: the caller reads rows one by one and stops when the batch
-- is full.
SELECT
    order_events.store_id, order_events.sequence, order_events.order_uuid, order_events.version,
    order_events.happened_at, order_events.endpoint_id, order_events.previous_sequence,
    order_events.previous_at, order_events.kind, order_events.actor, order_events.actor_id,
    order_events.reason, order_events.request_id, order_events.moves, order_events.changes,
    order_events.shipment,
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
