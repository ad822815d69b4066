-- The orders with these ids, in the order of the ids, up to so many bytes, but at least one.
SELECT orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM (
    -- The sizes are added up before an order is read whole, as libpq keeps all that a statement
    -- returns.
    SELECT place, id, size, sum(size) OVER (ORDER BY place) AS size_so_far
    FROM UNNEST(:ids) WITH ORDINALITY AS given(id, place)
    JOIN orders USING (id)
    WHERE orders.store_id = :store_id
) AS wanted
JOIN orders ON orders.id = wanted.id
{state}
WHERE orders.store_id = :store_id
  AND (size_so_far <= :bytes OR size_so_far = wanted.size)
ORDER BY place
