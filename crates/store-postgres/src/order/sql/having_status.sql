-- Those of some orders that a filter of statuses and types finds, in their order.
SELECT given.id
-- A value that the planner does not see, so that it plans the statement once for any number of orders.
FROM UNNEST((SELECT :ids)) WITH ORDINALITY AS given(id, place)
CROSS JOIN LATERAL (
    SELECT status_mask
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = given.id
    OFFSET 0
) AS of_order
WHERE status_mask & :statuses <> 0
  AND status_mask & :kinds <> 0
ORDER BY place
