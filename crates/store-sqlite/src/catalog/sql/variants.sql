-- The variants of the SKUs of a JSON list.
SELECT products.*
FROM products
WHERE sku IN (SELECT value FROM json_each(:skus))
