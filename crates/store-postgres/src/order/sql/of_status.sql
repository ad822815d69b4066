-- The common table `of_status`: the ids of the newest orders that match a filter of statuses and
-- types, up to :wanted orders of each status bitmask.
WITH RECURSIVE
-- The bitmasks that occur in the store, a few dozen. Each takes one look-up in the index.
bitmasks AS (
    (
        SELECT status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
        ORDER BY status_bitmask
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT order_states.status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND order_states.status_bitmask > bitmasks.status_bitmask
        ORDER BY order_states.status_bitmask
        LIMIT 1
    )
    FROM bitmasks
    -- The last step finds no larger bitmask.
    WHERE status_bitmask IS NOT NULL
),
of_status AS (
    SELECT id
    FROM (
        SELECT status_bitmask
        FROM bitmasks
        WHERE status_bitmask & :statuses <> 0
          AND status_bitmask & :kinds <> 0
    ) AS chosen
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = :store_id
          -- Row comparison, so that the ids of one bitmask are read in index order. Otherwise the
          -- planner may take the primary key, even in a table without statistics, and read the
          -- orders of all bitmasks.
          AND (order_states.status_bitmask, id) >= (chosen.status_bitmask, :from_id)
          AND (order_states.status_bitmask, id) < (chosen.status_bitmask, :before_id)
        ORDER BY order_states.status_bitmask DESC, id DESC
        -- The subquery hides the value from the planner, so that one plan serves all pages.
        LIMIT (SELECT :wanted)
    ) AS of_bitmask
)
