-- The variant with the SKU :sku.
SELECT
    sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
    weight_grams, retired
FROM products
WHERE sku = :sku
