-- Not all that match are looked at here, so that they are not counted.
total AS MATERIALIZED (
    SELECT version, NULL AS count
    FROM catalog_version
),
-- Those of the next 4000 variants that match: where the words are common, these fill a page.
next AS MATERIALIZED (
    SELECT words_id, COALESCE(product_id, sku) AS id
    FROM products
    WHERE retired = 0
      AND COALESCE(product_id, sku) > :after
    ORDER BY id
    LIMIT 4000
),
-- Variants that follow each other were often imported one after the other: then few others are read.
hits AS MATERIALIZED (
    SELECT rowid
    FROM product_words
    WHERE product_words MATCH :words
      AND rowid >= (SELECT min(words_id) FROM next)
      AND rowid <= (SELECT max(words_id) FROM next)
      AND within_time()
),
page AS MATERIALIZED (
    SELECT DISTINCT id
    FROM next
    WHERE words_id IN hits
    ORDER BY id
    LIMIT :limit
    OFFSET :offset
)
