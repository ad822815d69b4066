-- One row: how often an import has changed the catalog. An order is written only while the products are those it was
-- priced with.
CREATE TABLE catalog_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL CHECK (version > 0)
);
INSERT INTO catalog_version (id, version) VALUES (1, 1);

-- Nothing is compressed or moved out of a row that fits into its page: an order is somewhat more than the 2 KB from
-- where that would begin, and then both adding it and looking at its words cost more. Rows that are there stay as they
-- are.
ALTER TABLE orders SET (toast_tuple_target = 8160);
