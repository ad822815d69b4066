-- The variants of the products whose ids a JSON list names.
SELECT products.*
FROM products
WHERE COALESCE(product_id, sku) IN (SELECT value FROM json_each(:ids))
  AND retired = 0
ORDER BY COALESCE(product_id, sku), sku
