ALTER TABLE orders DROP COLUMN priced_at, DROP COLUMN fee_lines;
DROP TABLE fee_schedules, shipping_rates, prices;
DROP INDEX products_without_words, products_words, products_by_product;
ALTER TABLE products
    DROP COLUMN words, DROP COLUMN retired, DROP COLUMN weight_grams, DROP COLUMN ship_classes,
    DROP COLUMN options, DROP COLUMN product_name, DROP COLUMN product_id;
