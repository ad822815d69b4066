-- Returns up to :count stores with due orders. The store with the longest waiting order comes
-- first. Each node reads the stores of its shards.
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
ORDER BY oldest.due_at
LIMIT :count
