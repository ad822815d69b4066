-- The index of words has the ids in no order: all that match are read.
matching AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM products
    WHERE NOT retired
      AND words @@ :tsquery::tsquery
),
total AS (
    SELECT version, (SELECT count(*) FROM matching) AS count
    FROM catalog_version
),
page AS (
    SELECT id
    FROM matching
    WHERE id > :after
    ORDER BY id
    OFFSET :offset
    LIMIT :limit
)
