DROP TABLE products, line_items, orders, store_counters, write_probe, sealing_key, store_keys, stores;
