-- Records the uses in the JSON array :uses, except of keys with a later use.
UPDATE store_keys
SET last_used_at = used.minute
FROM (
    SELECT value ->> 'store_id' AS store_id, value ->> 'key_id' AS key_id, value ->> 'minute' AS minute
    FROM json_each(:uses)
) AS used
WHERE store_keys.store_id = used.store_id
  AND store_keys.key_id = used.key_id
  AND (last_used_at IS NULL OR last_used_at < used.minute)
