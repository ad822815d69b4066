ALTER TABLE orders RESET (toast_tuple_target);
DROP TABLE catalog_version;
