-- Inserts variants with their words, or replaces stored variants.
INSERT INTO products (
    sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
    weight_grams, retired,
    words
)
-- Built from an array, so that no text search configuration stems or drops a word.
SELECT
    sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
    weight_grams, retired,
    array_to_tsvector(string_to_array(words, chr(1)))
FROM UNNEST(
    :variants_sku::TEXT[],
    :variants_name::TEXT[],
    :variants_price::BIGINT[],
    :variants_currency::TEXT[],
    :variants_areas::TEXT[],
    :variants_product_id::TEXT[],
    :variants_product_name::TEXT[],
    :variants_options::TEXT[],
    :variants_ship_classes::TEXT[],
    :variants_weight_grams::BIGINT[],
    :variants_retired::BOOLEAN[],
    :words::TEXT[]
) AS given(
    sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
    weight_grams, retired,
    words
)
ON CONFLICT (sku) DO UPDATE
SET
    sku = excluded.sku, name = excluded.name, price = excluded.price, currency = excluded.currency,
    areas = excluded.areas, product_id = excluded.product_id, product_name = excluded.product_name,
    options = excluded.options, ship_classes = excluded.ship_classes,
    weight_grams = excluded.weight_grams, retired = excluded.retired,
    words = excluded.words
