-- Deletes the prices with the keys in the JSON array :rows.
DELETE FROM prices
WHERE (store_id, sku, currency, valid_from) IN (
    SELECT store_id, sku, currency, valid_from
    FROM json_to_recordset(:rows::json)
        AS given(store_id text, sku text, currency text, valid_from bigint)
)
