-- The number of products that match, with each id of a page, or alone where the page is empty.
WITH matching AS MATERIALIZED (
    SELECT DISTINCT COALESCE(product_id, sku) AS id
    FROM {source}
    WHERE retired = 0
      AND within_time() {having_words}
)
SELECT count, id
FROM (SELECT count(*) AS count FROM matching)
LEFT JOIN (
    SELECT id
    FROM matching
    WHERE COALESCE(id > :after, TRUE)
    ORDER BY id
    LIMIT :limit
    OFFSET :offset
) ON TRUE
