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
)
