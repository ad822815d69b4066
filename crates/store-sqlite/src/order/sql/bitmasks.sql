-- The bitmasks of statuses and type that occur in a store, a few dozen. Each takes one look-up in
-- the index.
WITH RECURSIVE bitmasks (status_bitmask) AS (
    SELECT min(status_bitmask)
    FROM order_states
    WHERE store_id = :store_id
    UNION ALL
    SELECT (
        SELECT min(order_states.status_bitmask)
        FROM order_states
        WHERE store_id = :store_id
          AND order_states.status_bitmask > bitmasks.status_bitmask
    )
    FROM bitmasks
    -- The last step finds no larger bitmask.
    WHERE status_bitmask IS NOT NULL
)
SELECT status_bitmask
FROM bitmasks
WHERE status_bitmask IS NOT NULL
