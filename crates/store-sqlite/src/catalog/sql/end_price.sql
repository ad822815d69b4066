-- Ends the current version of a price: the generation :next is the first without the row.
UPDATE price_rows
SET until = :next
WHERE store_id = :store_id
  AND sku = :sku
  AND currency = :currency
  AND valid_from = :valid_from
  AND since < :next
  -- The latest version has no end.
  AND until = 9223372036854775807
