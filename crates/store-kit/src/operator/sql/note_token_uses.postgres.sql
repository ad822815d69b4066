-- Records the uses in the JSON array :uses, except of tokens with a later use. Two servers lock the
-- rows in the same order, because the array is sorted by token.
UPDATE operator_tokens
SET last_used_at = used.minute
FROM json_to_recordset(:uses::json) AS used(token_id text, minute bigint)
WHERE operator_tokens.token_id = used.token_id
  AND (last_used_at IS NULL OR last_used_at < used.minute)
