-- The same search words in the same kind of index as the service has.
ALTER TABLE orders ADD COLUMN words TSVECTOR NOT NULL;
CREATE INDEX orders_words ON orders USING gin (words) WITH (gin_pending_list_limit = 64);
