-- Events of an order, newest first: the one with the sequence :latest and those before it, but none up to
-- the sequence :until. Each event names the sequence of the one before it, so that no index but the primary
-- key is needed.
WITH RECURSIVE chain AS (
    SELECT order_events.*, 1 AS place
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND sequence = :latest
      AND order_uuid = :id
    UNION ALL
    SELECT order_events.*, chain.place + 1
    FROM chain
    CROSS JOIN order_events ON order_events.sequence = chain.previous_sequence
    WHERE order_events.store_id = :store_id
      AND chain.place < :count
      AND chain.previous_sequence > :until
)
SELECT {order_events}
FROM chain
ORDER BY place
