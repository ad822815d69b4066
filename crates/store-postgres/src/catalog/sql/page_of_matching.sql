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
)
