-- Takes due orders of a store by moving their due times, and returns them.
WITH taken AS MATERIALIZED (
    SELECT id
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND due_at <= :now
    ORDER BY due_at
    LIMIT :of_store
    -- Skips orders that another server takes or a request changes.
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE order_states
SET due_at = :until
FROM taken
WHERE order_states.store_id = :store_id
  AND order_states.id = taken.id
RETURNING order_states.store_id, order_states.id
