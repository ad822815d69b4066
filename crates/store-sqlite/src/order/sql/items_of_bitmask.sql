-- The number of items of at most :limit orders of a store with a status bitmask of a single status.
-- The index alone has the numbers.
SELECT sum(item_count)
FROM (
    SELECT item_count
    FROM order_states INDEXED BY order_states_by_status
    WHERE within_time()
      AND store_id = :store_id
      AND status_bitmask = :status_bitmask
    LIMIT :limit
)
