-- One row: how often an import has changed the catalog. An order is written only while the products are those it was
-- priced with.
CREATE TABLE catalog_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL CHECK (version > 0)
) STRICT;
INSERT INTO catalog_version (id, version) VALUES (1, 1);
