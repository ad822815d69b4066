-- The `row_id`s of orders with the words: one more than the 500 that are few.
SELECT rowid
FROM order_words
WHERE order_words MATCH :words
LIMIT 500 + 1
