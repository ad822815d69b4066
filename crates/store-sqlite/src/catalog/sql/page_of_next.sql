-- A page of the next products that match :words: the version of the catalog and the number of matching products, with
-- each product id of the page. If the page is empty, one row without an id. The number is NULL if
-- the caller knows it.
WITH
-- Only a part of the matches is read, so that they cannot be counted.
total AS MATERIALIZED (
    SELECT version, NULL AS count
    FROM catalog_version
),
-- The next 4000 variants: common words fill a page from so few.
next AS MATERIALIZED (
    SELECT words_id, COALESCE(product_id, sku) AS id
    FROM products
    WHERE retired = 0
      AND COALESCE(product_id, sku) > :after
    ORDER BY id
    LIMIT 4000
),
-- Consecutive variants were often imported together, so that this range of row ids contains few
-- other variants.
hits AS MATERIALIZED (
    SELECT rowid
    FROM product_words
    WHERE product_words MATCH :words
      AND rowid >= (SELECT min(words_id) FROM next)
      AND rowid <= (SELECT max(words_id) FROM next)
      AND within_time()
),
-- The next variants that match.
page AS MATERIALIZED (
    SELECT DISTINCT id
    FROM next
    WHERE words_id IN hits
    ORDER BY id
    LIMIT :limit
    OFFSET :offset
)
SELECT version, count, id
FROM total
LEFT JOIN page ON TRUE
ORDER BY id
