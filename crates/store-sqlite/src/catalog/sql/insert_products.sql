-- A version of a variant.
INSERT INTO product_rows (
    row_id, since, words_id, sku, name, price, currency, areas, product_id, product_name,
    options, ship_classes, weight_grams, retired
)
VALUES (
    :row_id, :since, :words_id, :sku, :name, :price, :currency, :areas, :product_id,
    :product_name, :options, :ship_classes, :weight_grams, :retired
)
