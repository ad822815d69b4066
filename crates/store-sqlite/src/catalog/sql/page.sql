-- The version of the catalog and the number of matching products, with each product id of the page.
-- If the page is empty, one row without an id. The number is NULL if the caller knows it.
WITH {page}
SELECT version, count, id
FROM total
LEFT JOIN page ON TRUE
ORDER BY id
