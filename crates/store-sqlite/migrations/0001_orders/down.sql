DROP TABLE products;
DROP TABLE line_items;
DROP TABLE order_words;
DROP TABLE orders;
DROP TABLE store_counters;
DROP TABLE store_keys;
DROP TABLE stores;
