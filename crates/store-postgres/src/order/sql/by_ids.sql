-- The orders with the ids :ids, in this order, up to :bytes bytes but at least one order.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM (
    -- Sums the sizes before an order is read whole, because libpq keeps all returned rows in
    -- memory.
    SELECT place, id, size, sum(size) OVER (ORDER BY place) AS size_so_far
    FROM UNNEST(:ids) WITH ORDINALITY AS given(id, place)
    JOIN orders USING (id)
    WHERE orders.store_id = :store_id
) AS wanted
JOIN orders ON orders.id = wanted.id
{state}
WHERE orders.store_id = :store_id
  -- The second condition holds for the first order, whatever its size.
  AND (size_so_far <= :bytes OR size_so_far = wanted.size)
ORDER BY place
