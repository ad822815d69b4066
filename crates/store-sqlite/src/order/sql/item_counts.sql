-- The number of items in each status, of at most :limit orders of a store with a status bitmask.
SELECT status, sum(items)
FROM (
    -- Each element is a range of items in the same state: first and last number, status, and
    -- further values.
    SELECT same.value ->> 1 AS status, (same.value -> 0 ->> 1) - (same.value -> 0 ->> 0) + 1 AS items
    FROM (
        SELECT items
        FROM order_states INDEXED BY order_states_by_status
        WHERE within_time()
          AND store_id = :store_id
          AND status_bitmask = :status_bitmask
        LIMIT :limit
    ) AS mixed
    CROSS JOIN json_each(mixed.items) AS same
)
GROUP BY status
