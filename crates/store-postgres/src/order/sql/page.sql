-- A page of orders, newest first: whole orders up to :bytes bytes, the other orders as references.
-- {source} is the table of the orders to page through, within the window. {continued} says where
-- the search continues instead of returning a page; otherwise it is one row of NULLs, which an
-- empty page returns alone.
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
    -- The orders of the page and the order after it, with the values that decide which orders are
    -- read whole.
    SELECT
        id,
        size,
        row_number() OVER newest_first AS place,
        sum(size) OVER newest_first AS size_so_far
    FROM (
        -- Skipping the offset reads only the index.
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
        -- Order by order, as below.
        OFFSET 0
    ) AS sizes
    WINDOW newest_first AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
) AS page ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = page.id
      -- Returns no more whole orders than needed, because libpq keeps all returned rows in memory.
      -- The first order is whole whatever its size; the order after the page never is.
      AND (size_so_far <= :bytes OR place = 1)
      AND place < :limit
    -- Keeps the planner from joining in any other way than order by order: it does not know that a
    -- page has few orders.
    OFFSET 0
) AS orders ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    OFFSET 0
) AS order_states ON true
-- The rows come in this order, so that the server does not sort.
ORDER BY page.id DESC
