-- The common table `of_status`: the ids of the newest orders that a filter of statuses and types finds, of
-- each mask as many as are wanted.
WITH RECURSIVE
-- The masks that occur in the store, a few dozens. Each takes one look into the index.
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
    -- The last one has none after it.
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
          -- The ids of one mask in the order of the index of masks: so the planner never takes the primary
          -- key, which would read the orders of all masks, in a table without statistics either.
          AND (order_states.status_mask, id) >= (chosen.status_mask, :from_id)
          AND (order_states.status_mask, id) < (chosen.status_mask, :before_id)
        ORDER BY order_states.status_mask DESC, id DESC
        -- A value that the planner does not see, so that it plans the statement once for any page.
        LIMIT (SELECT :wanted)
    ) AS of_mask
)
