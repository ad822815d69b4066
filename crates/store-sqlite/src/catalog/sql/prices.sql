-- The prices that a store has of the SKUs of a JSON list.
SELECT prices.*
FROM prices
WHERE store_id IN ('', :store_id)
  AND sku IN (SELECT value FROM json_each(:skus))
