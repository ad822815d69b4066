-- Adds the deliveries in the JSON array :rows that the log does not contain.
INSERT INTO webhook_deliveries (
    store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid, order_id, attempt,
    error, http_status, response, started_at, duration_ms, next_attempt_at
)
SELECT
    value ->> 'store_id', value ->> 'delivery_id', value ->> 'endpoint_id', value ->> 'event_id',
    value ->> 'kind', value ->> 'sequence', value ->> 'order_uuid', value ->> 'order_id',
    value ->> 'attempt', value ->> 'error', value ->> 'http_status', value ->> 'response',
    value ->> 'started_at', value ->> 'duration_ms', value ->> 'next_attempt_at'
FROM json_each(:rows)
-- Directly after FROM, SQLite would read ON CONFLICT as a join condition.
WHERE true
ON CONFLICT (store_id, delivery_id) DO NOTHING
