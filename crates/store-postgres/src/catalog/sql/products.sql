-- The variants of a page of products, and of one more, in their order, with the version of the
-- catalog and the number of all products that match. The number is NULL where the caller knows it.
WITH {page},
-- Product by product, whatever the planner guesses: otherwise it may read all of them for the few of
-- a page.
products AS (
    SELECT page.id, own.*
    FROM page
    CROSS JOIN LATERAL (
        SELECT products.*
        FROM products
        WHERE COALESCE(product_id, sku) = page.id
          AND NOT retired
        OFFSET 0
    ) AS own
)
SELECT
    total.version,
    total.count,
    products.*,
    ARRAY(
        SELECT ROW(prices.*)
        FROM prices
        WHERE store_id IN ('', :store_id)
          AND prices.sku = products.sku
    )
FROM total
LEFT JOIN products ON TRUE
ORDER BY products.id, products.sku
