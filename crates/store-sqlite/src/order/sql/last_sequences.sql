-- The sequences of the last events of the stores in the JSON list :stores.
SELECT store_id, last_sequence
FROM json_each(:stores) AS wanted
CROSS JOIN store_counters ON store_id = wanted.value
