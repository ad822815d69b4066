-- The stores of which an order is due, those first that have waited longest. Reading does not keep the one
-- connection that writes from orders.
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
    -- Each store has one such row.
    FROM store_counters
)
WHERE oldest IS NOT NULL
ORDER BY oldest
LIMIT :count
