-- Only a part of the matches is read, so that they cannot be counted.
total AS (
    SELECT version, NULL::BIGINT AS count
    FROM catalog_version
),
-- Matches among the next 4000 variants: common words fill a page from so few.
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
