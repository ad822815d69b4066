-- Takes due orders of a store by moving their due times, and returns them.
UPDATE order_states
SET due_at = :until
WHERE store_id = :store_id
  AND id IN (
    SELECT id
    FROM order_states INDEXED BY order_states_due
    WHERE store_id = :store_id
      AND due_at <= :now
    ORDER BY due_at
    LIMIT :of_store
)
RETURNING store_id, id
