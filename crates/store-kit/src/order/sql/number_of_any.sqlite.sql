-- The number of the order :id, which is an order of one of the stores in the JSON list :stores, or of
-- any store. Looks store by store, because the key begins with the store.
SELECT orders.prefix, orders.number
FROM store_counters
-- A cross join keeps the tables in this order.
CROSS JOIN orders USING (store_id)
WHERE orders.id = :id
  AND (:stores IS NULL OR store_counters.store_id IN (SELECT value FROM json_each(:stores)))
LIMIT 1
