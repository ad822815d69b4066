ALTER TABLE orders DROP COLUMN priced_at;
ALTER TABLE orders DROP COLUMN fee_lines;
DROP TABLE fee_schedules;
DROP TABLE shipping_rates;
DROP TABLE prices;
DROP TABLE product_words;
CREATE TABLE variants (
    sku TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    price INTEGER CHECK (price >= 0),
    currency TEXT NOT NULL,
    areas TEXT NOT NULL
) STRICT;
INSERT INTO variants (sku, name, price, currency, areas) SELECT sku, name, price, currency, areas FROM products;
DROP TABLE products;
ALTER TABLE variants RENAME TO products;
