-- Subscriptions with pending events that no worker has leased, the least recently served first: at
-- most :of_endpoint of each endpoint.
SELECT store_id, endpoint_id
FROM (
    SELECT
        store_id,
        endpoint_id,
        row_number() OVER (PARTITION BY endpoint_id ORDER BY served_at, store_id) AS place
    FROM (
        SELECT subscription.store_id, subscription.endpoint_id, subscription.served_at
        -- In this order, which SQLite keeps: each subscription is read once.
        FROM webhook_subscriptions AS subscription
        CROSS JOIN event_counters AS counter
        CROSS JOIN webhook_endpoints AS endpoint
        WHERE counter.store_id = subscription.store_id
          AND endpoint.endpoint_id = subscription.endpoint_id
          AND subscription.subscribed
          AND (subscription.leased_until IS NULL OR subscription.leased_until <= :now)
          AND (
              counter.last_sequence > subscription.cursor
              OR subscription.next_due <= :now
              OR endpoint.probing_store = subscription.store_id
          )
          AND endpoint.disabled_at IS NULL
          AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= :now)
          AND (endpoint.probing_store IS NULL OR endpoint.probing_store = subscription.store_id)
        -- Stores that were created after an endpoint of all stores.
        UNION ALL
        SELECT counter.store_id, endpoint.endpoint_id, 0
        FROM webhook_endpoints AS endpoint
        CROSS JOIN event_counters AS counter
        WHERE endpoint.store_id IS NULL
          AND endpoint.stores IS NULL
          AND endpoint.disabled_at IS NULL
          AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= :now)
          AND (endpoint.probing_store IS NULL OR endpoint.probing_store = counter.store_id)
          AND (counter.last_sequence > 0 OR endpoint.probing_store = counter.store_id)
          AND NOT EXISTS (
              SELECT 1
              FROM webhook_subscriptions AS subscription
              WHERE subscription.store_id = counter.store_id
                AND subscription.endpoint_id = endpoint.endpoint_id
          )
    ) AS news
) AS news
WHERE place <= :of_endpoint
ORDER BY place, endpoint_id
LIMIT :limit
