-- The orders with these ids, in the order of the ids, up to so many bytes, but at least one.
SELECT
    orders.*,
    ARRAY(
        SELECT ROW(line_items.*)::item_row
        FROM line_items
        WHERE line_items.store_id = :store_id
          AND line_items.order_uuid = orders.id
        ORDER BY position
    )
FROM (
    -- The sizes are added up before an order is read whole, as libpq keeps all that a statement
    -- returns.
    SELECT place, id, size, sum(size) OVER (ORDER BY place) AS size_so_far
    FROM UNNEST(:ids) WITH ORDINALITY AS given(id, place)
    JOIN orders USING (id)
    WHERE orders.store_id = :store_id
) AS wanted
JOIN orders ON orders.id = wanted.id
WHERE orders.store_id = :store_id
  AND (size_so_far <= :bytes OR size_so_far = wanted.size)
ORDER BY place
