-- Takes numbers for new orders and sequences for events from a store's counters. Returns the last
-- number and sequence, the store's prefix, its latest chunk with the chunk's lower bound, the
-- version of the catalog, and the highest row_id of all orders. One statement, because each group
-- runs it for each of its stores.
UPDATE store_counters
SET
    last_number = last_number + :numbers,
    last_sequence = last_sequence + :sequences
WHERE store_id = :store_id
RETURNING
    last_number,
    last_sequence,
    (SELECT prefix FROM stores WHERE stores.store_id = store_counters.store_id) AS prefix,
    (
        SELECT chunk
        FROM order_chunks
        WHERE order_chunks.store_id = store_counters.store_id
        ORDER BY from_id DESC
        LIMIT 1
    ) AS chunk,
    (
        SELECT max(from_id)
        FROM order_chunks
        WHERE order_chunks.store_id = store_counters.store_id
    ) AS chunk_from,
    (SELECT version FROM catalog_version) AS catalog,
    (SELECT COALESCE(max(row_id), 0) FROM orders) AS last_row
