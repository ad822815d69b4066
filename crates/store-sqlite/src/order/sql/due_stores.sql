-- The stores with due orders, the store that has waited longest first. A read, so that it does not
-- delay orders on the only connection that writes.
SELECT store_id
FROM (
    SELECT
        store_id,
        (
            SELECT due_at
            FROM order_states INDEXED BY order_states_due
            WHERE order_states.store_id = store_counters.store_id
              AND due_at <= :now
            ORDER BY due_at
            LIMIT 1
        ) AS oldest
    -- Has one row for each store.
    FROM store_counters
)
WHERE oldest IS NOT NULL
ORDER BY oldest
LIMIT :count
