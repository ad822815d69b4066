-- Tables of the Fastify peer, the reference service: the schema that a small order service would
-- start with.
CREATE TABLE orders (
    id UUID PRIMARY KEY,
    number BIGINT GENERATED ALWAYS AS IDENTITY (CACHE 20),
    store_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    type TEXT NOT NULL,
    email TEXT,
    shipping_address JSONB NOT NULL,
    billing_address JSONB,
    customer JSONB NOT NULL,
    product_cost BIGINT,
    shipping_fee BIGINT,
    total_cost BIGINT NOT NULL,
    fee_lines JSONB NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    UNIQUE (store_id, order_id)
);

CREATE INDEX orders_newest ON orders (store_id, created_at DESC, id DESC);

CREATE TABLE line_items (
    id UUID NOT NULL,
    order_uuid UUID NOT NULL REFERENCES orders,
    position INTEGER NOT NULL,
    name TEXT,
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    file_urls TEXT[] NOT NULL,
    mockup_images TEXT[] NOT NULL,
    unit_cost BIGINT,
    PRIMARY KEY (order_uuid, position)
);
