-- Takes orders that are due, of any stores, by moving their due times, and returns them. Looks store by
-- store, by an index that begins with the store.
UPDATE order_states
SET due_at = :until
WHERE (store_id, id) IN (
    SELECT due.store_id, due.id
    FROM store_counters
    CROSS JOIN order_states AS due INDEXED BY order_states_due
        ON due.store_id = store_counters.store_id
    WHERE due.due_at <= :now
    LIMIT :count
)
RETURNING store_id, id
