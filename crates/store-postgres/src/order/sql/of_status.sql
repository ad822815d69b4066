-- The common table `of_status`: the ids of the newest orders that match a filter of statuses and
-- types, up to :wanted orders of each status bitmask.
WITH RECURSIVE
-- The bitmasks that occur in the store, a few dozen. Each takes one look-up in the index.
masks AS (
    (
        SELECT status_mask
        FROM order_states
        WHERE order_states.store_id = :store_id
        ORDER BY status_mask
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT order_states.status_mask
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND order_states.status_mask > masks.status_mask
        ORDER BY order_states.status_mask
        LIMIT 1
    )
    FROM masks
    -- The last step finds no larger bitmask.
    WHERE status_mask IS NOT NULL
),
of_status AS (
    SELECT id
    FROM (
        SELECT status_mask
        FROM masks
        WHERE status_mask & :statuses <> 0
          AND status_mask & :kinds <> 0
    ) AS chosen
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = :store_id
          -- Row comparison, so that the ids of one bitmask are read in index order. Otherwise the
          -- planner may take the primary key, even in a table without statistics, and read the
          -- orders of all bitmasks.
          AND (order_states.status_mask, id) >= (chosen.status_mask, :from_id)
          AND (order_states.status_mask, id) < (chosen.status_mask, :before_id)
        ORDER BY order_states.status_mask DESC, id DESC
        -- The subquery hides the value from the planner, so that one plan serves all pages.
        LIMIT (SELECT :wanted)
    ) AS of_mask
)
