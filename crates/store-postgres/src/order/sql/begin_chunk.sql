-- Begins a chunk after a store's stored orders. Concurrent creates wait for this row lock and then
-- belong to the new chunk.
UPDATE store_counters
SET chunk = chunk + 1,
    -- The smallest string above the newest id: the id with a character appended.
    chunk_from = newest_id || '+',
    chunks_from = chunks_from || (newest_id || '+')
WHERE store_id = :store_id
  -- Otherwise the latest chunk would stay empty.
  AND newest_id >= chunk_from
