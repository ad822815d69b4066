-- The endpoints of the store :owner with their secrets, oldest first.
SELECT
    webhook_endpoints.endpoint_id, webhook_endpoints.store_id, webhook_endpoints.stores,
    webhook_endpoints.url, webhook_endpoints.types, webhook_endpoints.payload,
    webhook_endpoints.description, webhook_endpoints.created_at,
    webhook_endpoints.updated_at, webhook_endpoints.disabled_reason,
    webhook_endpoints.disabled_at, webhook_endpoints.failures,
    webhook_endpoints.failing_since, webhook_endpoints.paused_until,
    webhook_endpoints.probing_store, webhook_endpoints.probing_attempts,
    webhook_endpoints.sandbox_action, webhook_endpoints.sandbox_seconds,
    webhook_endpoints.version,
    webhook_secrets.endpoint_id, webhook_secrets.key_id, webhook_secrets.position,
    webhook_secrets.sealed, webhook_secrets.sealed_with, webhook_secrets.created_at,
    webhook_secrets.expires_at
FROM webhook_endpoints
LEFT JOIN webhook_secrets ON webhook_secrets.endpoint_id = webhook_endpoints.endpoint_id
WHERE webhook_endpoints.store_id = :owner
ORDER BY webhook_endpoints.created_at, webhook_endpoints.endpoint_id, webhook_secrets.position
