-- Adds the messages in the JSON array :rows, or replaces them.
INSERT INTO webhook_messages (
    store_id, endpoint_id, sequence, order_uuid, attempts, due, waits
)
SELECT
    :store_id, :endpoint_id, sequence, order_uuid, attempts, due, waits
FROM json_to_recordset(:rows::json)
    AS given(sequence bigint, order_uuid text, attempts bigint, due bigint, waits boolean)
ON CONFLICT (store_id, endpoint_id, sequence) DO UPDATE
SET attempts = excluded.attempts, due = excluded.due, waits = excluded.waits
