-- Events of an order after the sequence :until, newest first, starting with the sequence :latest.
-- Each event names the sequence of the previous event, so that the primary key is the only index
-- needed.
WITH RECURSIVE chain AS (
    SELECT order_events.*, 1 AS place
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND sequence = :latest
      AND order_uuid = :id
    UNION ALL
    -- CROSS JOIN makes SQLite look up each previous event by its key.
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
