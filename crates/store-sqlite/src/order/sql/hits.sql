-- The `row_id`s of a chunk's orders that match :words. The prefix of the words names the chunk.
SELECT rowid
FROM order_words
WHERE order_words MATCH :words
  AND within_time()
ORDER BY rowid
