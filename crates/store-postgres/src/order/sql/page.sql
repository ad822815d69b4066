-- A page of orders, newest first: whole up to a bound of bytes, the rest as references.
-- {source} is the table of the orders that the page is of, within the window. {continued} is where the
-- search goes on, instead of a page: else one row of nulls, which an empty page returns alone.
SELECT
    continued.*,
    page.id,
    page.size,
    orders.*,
    order_states.*,
    {items},
    {shipment_documents},
    {correction_documents}
FROM ({continued}) AS continued
LEFT JOIN (
    -- The orders of the page and one behind it, with what decides which of them are read whole.
    SELECT
        id,
        size,
        row_number() OVER newest_first AS place,
        sum(size) OVER newest_first AS size_so_far
    FROM (
        -- Passing over the offset reads the index alone.
        SELECT id
        FROM {source}
        ORDER BY id DESC
        OFFSET :offset
        LIMIT :limit
    ) AS page
    CROSS JOIN LATERAL (
        SELECT size
        FROM orders
        WHERE orders.store_id = :store_id
          AND orders.id = page.id
        -- As below: keeps the planner from joining in any other way than order by order.
        OFFSET 0
    ) AS sizes
    WINDOW newest_first AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
) AS page ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = page.id
      -- libpq keeps all that a statement returns, so that no more may be returned than is wanted.
      -- The first order is read whole whatever its size; the one behind the page never is.
      AND (size_so_far <= :bytes OR place = 1)
      AND place < :limit
    -- Keeps the planner from joining in any other way than order by order: it does not know how few
    -- orders a page has.
    OFFSET 0
) AS orders ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    OFFSET 0
) AS order_states ON true
-- The page is in this order already, so that nothing is sorted.
ORDER BY page.id DESC
