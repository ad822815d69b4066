-- The variants with the SKUs in the JSON list :skus.
SELECT products.*
FROM products
WHERE sku IN (SELECT value FROM json_each(:skus))
