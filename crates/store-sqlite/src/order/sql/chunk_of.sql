-- The chunk of a store's order with the id :id.
SELECT chunk
FROM order_chunks
WHERE store_id = :store_id
  AND from_id <= :id
ORDER BY from_id DESC
LIMIT 1
