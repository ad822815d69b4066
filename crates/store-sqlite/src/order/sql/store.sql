-- The prefix of a store, and its latest chunk.
SELECT prefix, chunk, from_id
FROM stores
JOIN order_chunks USING (store_id)
WHERE store_id = :store_id
ORDER BY from_id DESC
LIMIT 1
