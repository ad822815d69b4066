-- The newest deliveries about the order :order_uuid of a subscription.
SELECT
    store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid, order_id, attempt,
    error, http_status, response, started_at, duration_ms, next_attempt_at
FROM webhook_deliveries
WHERE store_id = :store_id
  AND endpoint_id = :endpoint_id
  -- The bounds on the id narrow the range of the index; started_at has no index.
  AND delivery_id < :before
  AND delivery_id >= :lowest
  AND delivery_id < :highest
  AND started_at >= :from
  AND started_at <= :to
  AND order_uuid = :order_uuid
  AND (CAST(:failed AS BOOLEAN) IS NULL OR (error IS NOT NULL) = :failed)
ORDER BY delivery_id DESC
LIMIT :limit
