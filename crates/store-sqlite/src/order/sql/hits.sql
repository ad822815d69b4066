-- The `row_id`s of orders of a chunk with the words.
SELECT rowid
FROM order_words
WHERE order_words MATCH :words
  AND within_time()
ORDER BY rowid
