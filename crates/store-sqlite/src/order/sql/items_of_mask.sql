-- The number of items of at most :most orders of a store that have a mask of which all items have one status. The index has
-- the numbers.
SELECT sum(item_count)
FROM (
    SELECT item_count
    FROM order_states INDEXED BY order_states_by_status
    WHERE within_time()
      AND store_id = :store_id
      AND status_mask = :status_mask
    LIMIT :most
)
