-- Adds the deliveries in the JSON array :rows that the log does not contain.
INSERT INTO webhook_deliveries (
    store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid, order_id, attempt,
    error, http_status, response, started_at, duration_ms, next_attempt_at
)
SELECT
    store_id, delivery_id, endpoint_id, event_id, kind, sequence, order_uuid, order_id, attempt,
    error, http_status, response, started_at, duration_ms, next_attempt_at
FROM json_to_recordset(:rows::json) AS given(
    store_id text, delivery_id text, endpoint_id text, event_id text, kind text, sequence bigint,
    order_uuid text, order_id text, attempt bigint, error text, http_status bigint, response text,
    started_at bigint, duration_ms bigint, next_attempt_at bigint
)
ON CONFLICT (store_id, delivery_id) DO NOTHING
