-- The prices of the SKUs in the JSON list :skus, from the price list of a store and from the
-- default price list. The store id of the default list is empty.
SELECT sku, store_id, currency, valid_from, amount
FROM prices
WHERE store_id IN ('', :store_id)
  AND sku IN (SELECT value FROM json_each(:skus))
