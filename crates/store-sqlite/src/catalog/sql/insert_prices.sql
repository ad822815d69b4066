-- A version of a price.
INSERT INTO price_rows (
    since, sku, store_id, currency, valid_from, amount
)
VALUES (
    :since, :sku, :store_id, :currency, :valid_from, :amount
)
