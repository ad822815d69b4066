-- Events of an order, newest first: the one with the sequence :latest and those before it. Each event
-- names the sequence of the one before it, so that no index but the primary key is needed.
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
        -- Looked up one by one, whatever the planner knows of the table.
        OFFSET 0
    ) AS previous
    WHERE chain.place < :count
)
SELECT {order_events}
FROM chain
ORDER BY place
