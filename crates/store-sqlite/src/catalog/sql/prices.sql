-- The prices for a store of the SKUs in the JSON list :skus: from the default list, whose store id
-- is empty, and from the store's list.
SELECT prices.*
FROM prices
WHERE store_id IN ('', :store_id)
  AND sku IN (SELECT value FROM json_each(:skus))
