-- The 2000 newest orders of a store, and the orders that match words among them.
WITH
newest AS MATERIALIZED (
    SELECT row_id, id
    FROM orders
    WHERE {window}
    ORDER BY id DESC
    LIMIT 2000
),
hits AS MATERIALIZED (
    SELECT rowid
    FROM order_words
    WHERE order_words MATCH :words
      -- A `row_id` that is lower than all of the newest ones' belongs to none of them.
      AND rowid >= (SELECT min(row_id) FROM newest)
      -- Within a time range in the past, hits newer than the range are passed over, however many
      -- there are.
      AND within_time()
    -- From its end: only on that way the index of words stops at the bound.
    ORDER BY rowid DESC
)
