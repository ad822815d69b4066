-- Those of the orders with some `row_id`s, a JSON list, whose ids are in a range.
SELECT orders.id, orders.row_id
FROM json_each(:rows) AS hits
CROSS JOIN orders ON row_id = hits.value
WHERE within_time()
  AND {window}
