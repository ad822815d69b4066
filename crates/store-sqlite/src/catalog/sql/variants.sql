-- The variants with the SKUs in the JSON list :skus.
SELECT
    sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
    weight_grams, retired
FROM products
WHERE sku IN (SELECT value FROM json_each(:skus))
