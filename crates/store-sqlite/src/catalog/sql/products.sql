-- The variants of the products with the ids in the JSON list :ids.
SELECT products.*
FROM products
WHERE COALESCE(product_id, sku) IN (SELECT value FROM json_each(:ids))
  AND retired = 0
ORDER BY COALESCE(product_id, sku), sku
