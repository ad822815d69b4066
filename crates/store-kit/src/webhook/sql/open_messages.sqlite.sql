-- Adds the messages in the JSON array :rows, or replaces them.
INSERT INTO webhook_messages (
    store_id, endpoint_id, sequence, order_uuid, attempts, due, waits
)
SELECT
    :store_id, :endpoint_id,
    value ->> 'sequence', value ->> 'order_uuid', value ->> 'attempts', value ->> 'due', value ->> 'waits'
FROM json_each(:rows)
-- Directly after FROM, SQLite would read ON CONFLICT as a join condition.
WHERE true
ON CONFLICT (store_id, endpoint_id, sequence) DO UPDATE
SET attempts = excluded.attempts, due = excluded.due, waits = excluded.waits
