-- The first orders of a cross-store query, with their sizes.
SELECT store_id, id, size, true
FROM first_orders
CROSS JOIN LATERAL (
    SELECT size
    FROM orders
    WHERE orders.store_id = {first_orders.store}
      AND orders.id = first_orders.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS sizes
ORDER BY id {direction}
