-- The `row_id`s of a store's orders, newest first. Reads only the index.
SELECT row_id
FROM orders
WHERE within_time()
  AND {window}
ORDER BY id DESC
