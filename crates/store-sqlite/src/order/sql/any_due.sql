-- Whether an order of any store is due. Reading does not keep the one connection that writes from orders.
SELECT EXISTS (
    SELECT 1
    FROM store_counters
    CROSS JOIN order_states INDEXED BY order_states_due USING (store_id)
    WHERE due_at <= :now
)
