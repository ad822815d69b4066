-- The variants of a page of products, and of one more, in their order, with the number of all
-- products that match.
WITH matching AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM products
    WHERE NOT retired {having_words}
),
page AS (
    SELECT id
    FROM matching
    WHERE COALESCE(id > :after, TRUE)
    ORDER BY id
    OFFSET :offset
    LIMIT :limit
),
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
    total.count,
    products.*,
    ARRAY(
        SELECT ROW(prices.*)
        FROM prices
        WHERE store_id IN ('', :store_id)
          AND prices.sku = products.sku
    )
FROM (SELECT count(*) AS count FROM matching) AS total
LEFT JOIN products ON TRUE
ORDER BY products.id, products.sku
