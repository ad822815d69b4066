-- Servers of the version before go on working: what they do not know is empty or has a default.

-- A row is a variant now.
ALTER TABLE products
    -- Where it is empty, the variant is a product by itself, and the SKU is its id.
    ADD COLUMN product_id TEXT COLLATE "C",
    -- The same in all variants of a product. NULL where no import has named the product.
    ADD COLUMN product_name TEXT,
    -- JSON: a list of lists of a name and a value.
    ADD COLUMN options TEXT NOT NULL DEFAULT '[]',
    -- JSON: a list of texts.
    ADD COLUMN ship_classes TEXT NOT NULL DEFAULT '[]',
    ADD COLUMN weight_grams BIGINT NOT NULL DEFAULT 0 CHECK (weight_grams >= 0),
    ADD COLUMN retired BOOLEAN NOT NULL DEFAULT false,
    -- The search words. The program makes them, and fills them in where they are empty.
    ADD COLUMN words TSVECTOR CONSTRAINT products_words_fit CHECK (pg_column_size(words) <= 1048576);

-- With the columns that the id is made of, so that it is read without the row.
CREATE INDEX products_by_product ON products ((COALESCE(product_id, sku)), sku) INCLUDE (product_id) WHERE NOT retired;
-- For imports, which look at all variants of a product.
CREATE INDEX products_retired ON products ((COALESCE(product_id, sku))) WHERE retired;
-- The small list keeps a search after an import from having to walk a large one.
CREATE INDEX products_words ON products USING gin (words) WITH (gin_pending_list_limit = 64) WHERE NOT retired;
CREATE INDEX products_without_words ON products (sku) WHERE words IS NULL;

-- Price lists. That of the service has an empty store id. A list may come before the variants that it prices.
CREATE TABLE prices (
    store_id TEXT COLLATE "C" NOT NULL,
    sku TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    -- Holds from then on, until a later one does.
    valid_from BIGINT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (store_id, sku, currency, valid_from)
);

-- One row: all zones and shipping rates as one JSON document.
CREATE TABLE shipping_rates (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
);

-- Schedules of fees, each as one JSON document. That of the service has an empty store id.
CREATE TABLE fee_schedules (
    store_id TEXT COLLATE "C" PRIMARY KEY,
    document TEXT NOT NULL
);

ALTER TABLE orders
    -- JSON: what the fees are made of. Empty where the order was stored before that was kept.
    ADD COLUMN fee_lines TEXT,
    -- The moment whose prices the fees are of.
    ADD COLUMN priced_at BIGINT;
