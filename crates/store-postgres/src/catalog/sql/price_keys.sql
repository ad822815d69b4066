(store_id, sku, currency, valid_from)
    IN (SELECT * FROM UNNEST(:stores, :skus, :currencies, :times))
