-- Events of an order, newest first, starting with the sequence :latest. Each event names the
-- sequence of the previous event, so that the primary key is the only index needed.
WITH RECURSIVE chain AS (
    SELECT order_events.*, 1 AS place
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND sequence = :latest
      AND order_uuid = :id
    UNION ALL
    SELECT previous.*, chain.place + 1
    FROM chain
    CROSS JOIN LATERAL (
        SELECT order_events.*
        FROM order_events
        WHERE order_events.store_id = :store_id
          AND sequence = chain.previous_sequence
        -- Looked up one by one, whatever statistics the planner has.
        OFFSET 0
    ) AS previous
    WHERE chain.place < :count
)
SELECT {order_events}
FROM chain
ORDER BY place
