-- Records the uses in the JSON array :uses, except of tokens with a later use.
UPDATE operator_tokens
SET last_used_at = used.minute
FROM (
    SELECT value ->> 'token_id' AS token_id, value ->> 'minute' AS minute
    FROM json_each(:uses)
) AS used
WHERE operator_tokens.token_id = used.token_id
  AND (last_used_at IS NULL OR last_used_at < used.minute)
