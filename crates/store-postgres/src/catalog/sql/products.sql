-- The variants of a page of products and of the next product, sorted by product, with the version
-- of the catalog and the number of matching products. The number is NULL if the caller knows it.
WITH {page},
-- Joined product by product. OFFSET 0 keeps the planner from reading all products for the few of a
-- page.
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
-- Outer join: an empty page still returns the version and the count.
FROM total
LEFT JOIN products ON TRUE
ORDER BY products.id, products.sku
