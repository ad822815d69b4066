-- Adds the service's search words, with the service's index type.
ALTER TABLE orders ADD COLUMN words TSVECTOR NOT NULL;
CREATE INDEX orders_words ON orders USING gin (words) WITH (gin_pending_list_limit = 64);
