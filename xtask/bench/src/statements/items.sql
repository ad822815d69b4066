-- The items of an order with their words. The product of each item is drawn independently, as in
-- the samples: two items may have the same product and then share their words.
SELECT
    i AS position,
    {names}[v] || CASE WHEN d > 0 THEN ', design ' || d ELSE '' END AS name,
    {skus}[v] || CASE WHEN d > 0 THEN '-D' || d ELSE '' END AS sku,
    1 + (d + v + i) % 3 AS quantity,
    CASE WHEN (d + v + i) % 5 = 0 THEN 'Express' ELSE 'Standard' END AS ship_class,
    {prices}[k] AS unit_cost,
    '[' || {files}[k] || ',' || {mockups}[k] || ',' || {areas}[k] || ']' AS art,
    lower({skus}[v]) || CASE WHEN d > 0 THEN '-d' || d || ' d' || d || ' design ' || d ELSE '' END
        || ' ' || {words}[v] AS words
FROM (
    SELECT i, 1 + p % {variants} AS v, p / {variants} AS d, 1 + p % {variants} * {kinds} / {variants} AS k
    FROM (
        SELECT i, floor(random() * {products})::int AS p
        FROM generate_series(0, 2) AS i
        OFFSET 0
    ) AS numbers
    OFFSET 0
) AS chosen
