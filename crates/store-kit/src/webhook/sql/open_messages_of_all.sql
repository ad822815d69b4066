-- The number of open messages of an endpoint of several stores, and the earliest time of the event
-- of each store's first message.
SELECT CAST(COALESCE(SUM(messages), 0) AS BIGINT), MIN(happened_at)
FROM (
    SELECT
        open.messages,
        (
            SELECT order_events.happened_at
            FROM order_events
            WHERE order_events.store_id = open.store_id
              AND order_events.sequence = open.first
        ) AS happened_at
    FROM (
        SELECT store_id, COUNT(*) AS messages, MIN(sequence) AS first
        FROM webhook_messages
        WHERE endpoint_id = :endpoint_id
          AND store_id IN (
              SELECT store_id FROM webhook_subscriptions WHERE endpoint_id = :endpoint_id
          )
        GROUP BY store_id
    ) AS open
) AS behind
