-- Takes numbers for new orders from the counter of a store. Returns the last of them, the store's prefix,
-- and its latest chunk with the id that it begins with.
UPDATE store_counters
SET last_number = last_number + :count
WHERE store_id = :store_id
RETURNING
    last_number,
    (SELECT prefix FROM stores WHERE stores.store_id = store_counters.store_id),
    (
        SELECT chunk
        FROM order_chunks
        WHERE order_chunks.store_id = store_counters.store_id
        ORDER BY from_id DESC
        LIMIT 1
    ),
    (SELECT max(from_id) FROM order_chunks WHERE order_chunks.store_id = store_counters.store_id)
