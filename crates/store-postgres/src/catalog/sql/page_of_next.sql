-- Not all that match are looked at here, so that they are not counted.
total AS (
    SELECT version, NULL::BIGINT AS count
    FROM catalog_version
),
-- Those of the next 4000 variants that match: where the words are common, these fill a page.
page AS (
    SELECT DISTINCT id
    FROM (
        SELECT COALESCE(product_id, sku) AS id, words
        FROM products
        WHERE NOT retired
          AND COALESCE(product_id, sku) > :after
        ORDER BY id
        LIMIT 4000
    ) AS next
    WHERE words @@ :tsquery::tsquery
    ORDER BY id
    OFFSET :offset
    LIMIT :limit
)
