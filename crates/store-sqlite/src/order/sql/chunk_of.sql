-- The chunk that the order of a store with an id belongs to.
SELECT chunk
FROM order_chunks
WHERE store_id = :store_id
  AND from_id <= :id
ORDER BY from_id DESC
LIMIT 1
