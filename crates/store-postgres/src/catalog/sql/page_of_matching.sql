-- The variants of a page of products and of the next product, sorted by product, with the version
-- of the catalog and the number of matching products. The number is NULL if the caller knows it.
WITH
-- The word index does not sort by id, so that all matches are read.
matching AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM products
    WHERE NOT retired
      AND words @@ :tsquery::tsquery
),
-- All matches have been read, so that counting them costs little.
total AS (
    SELECT version, (SELECT count(*) FROM matching) AS count
    FROM catalog_version
),
-- Sorted after matching, because the word index has no order.
page AS (
    SELECT id
    FROM matching
    WHERE id > :after
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
