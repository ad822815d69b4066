-- Takes orders that are due, of any stores, by moving their due times, and returns them. Looks store by
-- store, by an index that begins with the store.
WITH due_stores AS MATERIALIZED (
    SELECT event_counters.store_id
    -- Each store has one such row.
    FROM event_counters
    CROSS JOIN LATERAL (
        SELECT due_at
        FROM order_states
        WHERE order_states.store_id = event_counters.store_id
          AND due_at <= :now
        ORDER BY due_at
        LIMIT 1
    ) AS oldest
    -- Those first that have waited longest.
    ORDER BY oldest.due_at
    LIMIT :count
),
taken AS MATERIALIZED (
    SELECT due.store_id, due.id
    FROM due_stores
    CROSS JOIN LATERAL (
        SELECT order_states.store_id, order_states.id
        FROM order_states
        WHERE order_states.store_id = due_stores.store_id
          AND due_at <= :now
        ORDER BY due_at
        -- An equal part for each store, so that no store keeps the others waiting.
        LIMIT greatest(1, :count / (SELECT count(*) FROM due_stores))
        -- Those that another server takes, or that a request changes, are left.
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS due
)
UPDATE order_states
SET due_at = :until
FROM taken
WHERE order_states.store_id = taken.store_id
  AND order_states.id = taken.id
RETURNING order_states.store_id, order_states.id
