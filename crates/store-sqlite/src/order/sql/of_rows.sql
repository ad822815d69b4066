-- The orders of a store with the `row_id`s in the JSON list :rows and ids in a range.
SELECT orders.id, orders.row_id
FROM (SELECT value FROM json_each(:rows)) AS hits
CROSS JOIN orders ON row_id = hits.value
WHERE within_time()
  AND store_id = :store_id
  AND orders.id >= :from_id
  AND orders.id < :before_id
