-- Inserts prices, or replaces the amounts of stored prices.
INSERT INTO prices (sku, store_id, currency, valid_from, amount)
SELECT * FROM UNNEST(
    :prices_sku::TEXT[],
    :prices_store_id::TEXT[],
    :prices_currency::TEXT[],
    :prices_valid_from::BIGINT[],
    :prices_amount::BIGINT[]
)
ON CONFLICT (store_id, sku, currency, valid_from) DO UPDATE
SET amount = excluded.amount
