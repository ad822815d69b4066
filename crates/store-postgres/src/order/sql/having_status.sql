-- The orders of :ids that match a filter of statuses and types, in the order of :ids.
SELECT given.id
-- The subquery hides the value from the planner, so that one plan serves any number of orders.
FROM UNNEST((SELECT :ids::TEXT[])) WITH ORDINALITY AS given(id, place)
CROSS JOIN LATERAL (
    SELECT status_bitmask
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = given.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS of_order
WHERE status_bitmask & :statuses <> 0
  AND status_bitmask & :kinds <> 0
ORDER BY place
