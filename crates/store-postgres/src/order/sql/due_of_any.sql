-- Takes due orders of any stores by moving their due times, and returns them. Looks store by store,
-- because the index begins with the store.
WITH due_stores AS MATERIALIZED (
    -- The stores with due orders.
    SELECT event_counters.store_id
    -- Has one row for each store.
    FROM event_counters
    CROSS JOIN LATERAL (
        SELECT due_at
        FROM order_states
        WHERE order_states.store_id = event_counters.store_id
          AND due_at <= :now
        ORDER BY due_at
        LIMIT 1
    ) AS oldest
    -- The store with the longest waiting order comes first.
    ORDER BY oldest.due_at
    LIMIT :count
),
-- The orders to take.
taken AS MATERIALIZED (
    SELECT due.store_id, due.id
    FROM due_stores
    CROSS JOIN LATERAL (
        SELECT order_states.store_id, order_states.id
        FROM order_states
        WHERE order_states.store_id = due_stores.store_id
          AND due_at <= :now
        ORDER BY due_at
        -- An equal share for each store, so that no store delays the others.
        LIMIT greatest(1, :count / (SELECT count(*) FROM due_stores))
        -- Skips orders that another server takes or a request changes.
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS due
)
UPDATE order_states
SET due_at = :until
FROM taken
WHERE order_states.store_id = taken.store_id
  AND order_states.id = taken.id
RETURNING order_states.store_id, order_states.id
