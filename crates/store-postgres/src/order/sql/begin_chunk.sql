-- Begins a chunk of a store's orders: behind all that are stored. Orders that are stored meanwhile wait
-- for this lock, and then belong to the new chunk.
UPDATE store_counters
SET chunk = chunk + 1,
    -- The least text above the newest id: with any character behind it.
    chunk_from = newest_id || '+',
    chunks_from = chunks_from || (newest_id || '+')
WHERE store_id = :store_id
  -- The latest chunk would otherwise be left without an order.
  AND newest_id >= chunk_from
