-- Inserts prices, or replaces the amounts of stored prices.
INSERT INTO prices ({prices})
SELECT * FROM UNNEST(:prices)
ON CONFLICT (store_id, sku, currency, valid_from) DO UPDATE
SET amount = excluded.amount
