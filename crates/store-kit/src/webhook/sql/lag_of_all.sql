-- The number of events after the cursors of an endpoint of several stores, and the time of the
-- earliest of the first events after each cursor.
SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT), MIN(happened_at)
FROM (
    SELECT
        counter.last_sequence - COALESCE(subscription.cursor, 0)
        -- Without the sequences that were skipped after a restore.
        - COALESCE(
            (
                SELECT SUM(
                    skipped.last_sequence
                    - CASE
                        WHEN skipped.after_sequence > COALESCE(subscription.cursor, 0)
                        THEN skipped.after_sequence
                        ELSE COALESCE(subscription.cursor, 0)
                    END
                )
                FROM skipped_counters AS skipped
                WHERE skipped.store_id = counter.store_id
                  AND skipped.last_sequence > COALESCE(subscription.cursor, 0)
            ),
            0
        ) AS events,
        -- Looked up by its key: a join could read all events.
        (
            SELECT order_events.happened_at
            FROM order_events
            WHERE order_events.store_id = counter.store_id
              AND order_events.sequence > COALESCE(subscription.cursor, 0)
            ORDER BY order_events.sequence
            LIMIT 1
        ) AS happened_at
    FROM webhook_endpoints AS endpoint
    CROSS JOIN event_counters AS counter
    LEFT JOIN webhook_subscriptions AS subscription
        ON subscription.store_id = counter.store_id
        AND subscription.endpoint_id = endpoint.endpoint_id
    WHERE endpoint.endpoint_id = :endpoint_id
      AND counter.last_sequence > COALESCE(subscription.cursor, 0)
      AND (
          subscription.subscribed
          -- A store that was created after an endpoint of all stores.
          OR subscription.endpoint_id IS NULL
             AND endpoint.store_id IS NULL
             AND endpoint.stores IS NULL
      )
) AS behind
