-- The bitmasks of statuses and type that occur in a store, a few dozen. Each takes one look-up in
-- the index.
WITH RECURSIVE masks (status_mask) AS (
    SELECT min(status_mask)
    FROM order_states
    WHERE store_id = :store_id
    UNION ALL
    SELECT (
        SELECT min(order_states.status_mask)
        FROM order_states
        WHERE store_id = :store_id
          AND order_states.status_mask > masks.status_mask
    )
    FROM masks
    -- The last step finds no larger bitmask.
    WHERE status_mask IS NOT NULL
)
SELECT status_mask
FROM masks
WHERE status_mask IS NOT NULL
