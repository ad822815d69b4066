-- A page of all products: the version of the catalog and the number of matching products, with
-- each product id of the page. If the page is empty, one row without an id. The number is NULL if
-- the caller knows it.
WITH
-- The count is NULL if the caller knows it for this version.
total AS MATERIALIZED (
    SELECT
        version,
        CASE WHEN version = :counted THEN NULL ELSE (
            SELECT count(*)
            FROM (
                SELECT DISTINCT COALESCE(product_id, sku)
                FROM products
                WHERE retired = 0
                  AND within_time()
            )
        ) END AS count
    FROM catalog_version
),
-- The index has the ids in order, so that only the rows of the page are read.
page AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM products
    WHERE retired = 0
      AND COALESCE(product_id, sku) > :after
      AND within_time()
    ORDER BY id
    LIMIT :limit
    OFFSET :offset
)
SELECT version, count, id
FROM total
LEFT JOIN page ON TRUE
ORDER BY id
