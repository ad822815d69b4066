-- Takes orders that are due, of any stores, by moving their due times, and returns them. Looks store by
-- store, by an index that begins with the store.
WITH taken AS MATERIALIZED (
    SELECT due.store_id, due.id
    -- Each store has one such row.
    FROM event_counters
    CROSS JOIN LATERAL (
        SELECT order_states.store_id, order_states.id
        FROM order_states
        WHERE order_states.store_id = event_counters.store_id
          AND due_at <= :now
        ORDER BY due_at
        -- So that no store keeps the others waiting.
        LIMIT :of_store
        -- Those that another server takes, or that a request changes, are left.
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS due
    LIMIT :count
)
UPDATE order_states
SET due_at = :until
FROM taken
WHERE order_states.store_id = taken.store_id
  AND order_states.id = taken.id
RETURNING order_states.store_id, order_states.id
