-- The state of an order. A part of the statements that read whole orders.
CROSS JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = {store}
      AND order_states.id = orders.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS order_states
