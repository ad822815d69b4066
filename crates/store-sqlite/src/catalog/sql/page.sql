-- The version of the catalog and the number of products that match, with each id of a page, or alone
-- where the page is empty. The number is NULL where the caller knows it.
WITH {page}
SELECT version, count, id
FROM total
LEFT JOIN page ON TRUE
ORDER BY id
