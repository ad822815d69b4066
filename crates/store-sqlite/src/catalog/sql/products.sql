-- The variants of the products with the ids in the JSON list :ids.
SELECT
    sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
    weight_grams, retired
FROM products
WHERE COALESCE(product_id, sku) IN (SELECT value FROM json_each(:ids))
  AND retired = 0
ORDER BY COALESCE(product_id, sku), sku
