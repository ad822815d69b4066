-- The variants of a page of products and of the next product, sorted by product, with the version
-- of the catalog and the number of matching products. The number is NULL if the caller knows it.
WITH
-- The count is NULL if the caller knows it for this version.
total AS (
    SELECT
        version,
        CASE WHEN version = :counted THEN NULL ELSE (
            SELECT count(*)
            FROM (
                SELECT DISTINCT COALESCE(product_id, sku)
                FROM products
                WHERE NOT retired
            ) AS ids
        ) END AS count
    FROM catalog_version
),
-- The index has the ids in order, so that only the rows of the page are read.
page AS (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM products
    WHERE NOT retired
      AND COALESCE(product_id, sku) > :after
    ORDER BY id
    OFFSET :offset
    LIMIT :limit
),
-- Joined product by product. OFFSET 0 keeps the planner from reading all products for the few of a
-- page.
products AS (
    SELECT page.id, own.*
    FROM page
    CROSS JOIN LATERAL (
        SELECT
            sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
            weight_grams, retired
        FROM products
        WHERE COALESCE(product_id, sku) = page.id
          AND NOT retired
        OFFSET 0
    ) AS own
)
SELECT
    total.version,
    total.count,
    products.sku, products.name, products.price, products.currency, products.areas,
    products.product_id, products.product_name, products.options, products.ship_classes,
    products.weight_grams, products.retired,
    ARRAY(
        SELECT ROW(prices.sku, prices.store_id, prices.currency, prices.valid_from, prices.amount)
        FROM prices
        WHERE store_id IN ('', :store_id)
          AND prices.sku = products.sku
    ) AS prices
-- Outer join: an empty page still returns the version and the count.
FROM total
LEFT JOIN products ON TRUE
ORDER BY products.id, products.sku
