-- A row is a variant now. Built anew, as its words need a number that stays what it is.
CREATE TABLE variants (
    -- Ties the row to its search words. Declared, since SQLite may renumber rows whose number is not.
    row_id INTEGER PRIMARY KEY,
    sku TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    price INTEGER CHECK (price >= 0),
    currency TEXT NOT NULL,
    -- JSON.
    areas TEXT NOT NULL,
    -- Where it is empty, the variant is a product by itself, and the SKU is its id.
    product_id TEXT,
    -- The same in all variants of a product. NULL where no import has named the product.
    product_name TEXT,
    -- JSON: a list of lists of a name and a value.
    options TEXT NOT NULL DEFAULT '[]',
    -- JSON: a list of texts.
    ship_classes TEXT NOT NULL DEFAULT '[]',
    weight_grams INTEGER NOT NULL DEFAULT 0 CHECK (weight_grams >= 0),
    retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
    -- 1 once its search words are there. The program makes them, and fills them in where they are not.
    has_words INTEGER NOT NULL DEFAULT 0 CHECK (has_words IN (0, 1))
) STRICT;
INSERT INTO variants (sku, name, price, currency, areas)
SELECT sku, name, price, currency, areas FROM products ORDER BY sku;
DROP TABLE products;
ALTER TABLE variants RENAME TO products;

-- With all columns that a walk through the ids looks at, so that it reads no row.
CREATE INDEX products_by_product ON products (COALESCE(product_id, sku), sku, product_id, retired) WHERE retired = 0;
-- For imports, which look at all variants of a product.
CREATE INDEX products_retired ON products (COALESCE(product_id, sku)) WHERE retired = 1;
CREATE INDEX products_without_words ON products (row_id) WHERE has_words = 0;

-- The search words of the variant with the same row_id, written as those of orders.
CREATE VIRTUAL TABLE product_words USING fts5 (
    words,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii',
    prefix = '6 8'
);

-- Price lists. That of the service has an empty store id. A list may come before the variants that it prices.
CREATE TABLE prices (
    store_id TEXT NOT NULL,
    sku TEXT NOT NULL,
    currency TEXT NOT NULL,
    -- Holds from then on, until a later one does.
    valid_from INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (store_id, sku, currency, valid_from)
) STRICT, WITHOUT ROWID;

-- One row: all zones and shipping rates as one JSON document.
CREATE TABLE shipping_rates (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
) STRICT;

-- Schedules of fees, each as one JSON document. That of the service has an empty store id.
CREATE TABLE fee_schedules (
    store_id TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- JSON: what the fees are made of. Empty where the order was stored before that was kept.
ALTER TABLE orders ADD COLUMN fee_lines TEXT;
-- The moment whose prices the fees are of.
ALTER TABLE orders ADD COLUMN priced_at INTEGER;
