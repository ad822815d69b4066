-- The subscriptions of the print shop's endpoints with the newest failed deliveries, each with the id
-- of the newest.
SELECT store_id, endpoint_id, head
FROM (
    SELECT
        subscription.store_id,
        subscription.endpoint_id,
        (
            SELECT MAX(delivery_id)
            FROM webhook_deliveries
            WHERE webhook_deliveries.store_id = subscription.store_id
              AND webhook_deliveries.endpoint_id = subscription.endpoint_id
              -- The bounds on the id narrow the range of the index; started_at has no index.
              AND delivery_id < :before
              AND delivery_id >= :lowest
              AND delivery_id < :highest
              AND started_at >= :from
              AND started_at <= :to
              AND error IS NOT NULL
        ) AS head
    FROM webhook_subscriptions AS subscription
    WHERE subscription.endpoint_id IN (
        SELECT endpoint_id
        FROM webhook_endpoints
        WHERE webhook_endpoints.store_id IS NULL
          AND (CAST(:endpoint AS TEXT) IS NULL OR endpoint_id = :endpoint)
    )
) AS heads
WHERE head IS NOT NULL
ORDER BY head DESC
LIMIT :limit
