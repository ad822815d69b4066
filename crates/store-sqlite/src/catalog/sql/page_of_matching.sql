-- A page of the products that match :words: the version of the catalog and the number of matching products, with
-- each product id of the page. If the page is empty, one row without an id. The number is NULL if
-- the caller knows it.
WITH
-- The word index does not sort by id, so that all matches are read. CROSS JOIN makes SQLite read
-- the words first.
matching AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM product_words
    CROSS JOIN products ON words_id = product_words.rowid
    WHERE product_words MATCH :words
      AND retired = 0
      AND within_time()
),
-- All matches have been read, so that counting them costs little.
total AS MATERIALIZED (
    SELECT version, (SELECT count(*) FROM matching) AS count
    FROM catalog_version
),
-- Sorted after matching, because the word index has no order.
page AS MATERIALIZED (
    SELECT id
    FROM matching
    WHERE id > :after
    ORDER BY id
    LIMIT :limit
    OFFSET :offset
)
SELECT version, count, id
FROM total
LEFT JOIN page ON TRUE
ORDER BY id
