-- The number of open messages of an endpoint of the store :owner, and the time of the event of the
-- first of them.
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
          AND store_id = :owner
        GROUP BY store_id
    ) AS open
) AS behind
