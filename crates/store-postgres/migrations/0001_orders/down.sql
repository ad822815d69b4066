DROP TABLE products, line_items, orders, store_counters, store_keys, stores;
