-- Takes numbers for new orders from the counter of a store. Returns the last of them, the store's `row_id` and its
-- prefix.
UPDATE store_counters
SET last_number = last_number + :count
WHERE store_id = :store_id
RETURNING
    last_number,
    (SELECT row_id FROM stores WHERE stores.store_id = store_counters.store_id),
    (SELECT prefix FROM stores WHERE stores.store_id = store_counters.store_id)
