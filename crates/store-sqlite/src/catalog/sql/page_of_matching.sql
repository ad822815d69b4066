-- The index of words has the ids in no order: all that match are read. CROSS JOIN makes SQLite read
-- the words first.
matching AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM product_words
    CROSS JOIN products ON words_id = product_words.rowid
    WHERE product_words MATCH :words
      AND retired = 0
      AND within_time()
),
total AS MATERIALIZED (
    SELECT version, (SELECT count(*) FROM matching) AS count
    FROM catalog_version
),
page AS MATERIALIZED (
    SELECT id
    FROM matching
    WHERE id > :after
    ORDER BY id
    LIMIT :limit
    OFFSET :offset
)
