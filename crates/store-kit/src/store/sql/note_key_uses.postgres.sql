-- Records the uses in the JSON array :uses, except of keys with a later use. Two servers lock the
-- rows in the same order, because the array is sorted by key.
UPDATE store_keys
SET last_used_at = used.minute
FROM json_to_recordset(:uses::json) AS used(store_id text, key_id text, minute bigint)
WHERE store_keys.store_id = used.store_id
  AND store_keys.key_id = used.key_id
  AND (last_used_at IS NULL OR last_used_at < used.minute)
