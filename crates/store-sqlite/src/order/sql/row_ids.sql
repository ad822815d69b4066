-- The `row_id`s of a store's orders, newest first. Reads only the index.
SELECT row_id
FROM orders
WHERE within_time()
  AND store_id = :store_id
  AND id >= :from_id
  AND id < :before_id
ORDER BY id DESC
