-- Ends the current version of a variant: the generation :next is the first without the row. Returns the
-- rowid of the search words.
UPDATE product_rows
SET until = :next
WHERE sku = :sku
  AND since < :next
  -- The latest version has no end.
  AND until = 9223372036854775807
RETURNING words_id
