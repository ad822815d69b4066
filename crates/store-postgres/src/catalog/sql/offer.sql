-- The rows that price the products with the SKUs :skus: a row for each variant, or a row without a
-- variant. The first row has the documents, unless the version is :have.
SELECT
    version,
    CASE WHEN row_number() OVER () = 1 AND version IS DISTINCT FROM :have
        THEN (SELECT document FROM shipping_rates)
    END AS shipping,
    CASE WHEN row_number() OVER () = 1 AND version IS DISTINCT FROM :have
        THEN ARRAY(
            SELECT ROW(store_id, document)
            FROM fee_schedules
            WHERE store_id IN ('', :store_id)
            -- The store's own price comes first: the store id of the service's prices is empty.
            ORDER BY store_id DESC
            LIMIT 1
        )
    END AS fees,
    EXISTS (SELECT FROM prices WHERE store_id = :store_id) AS has_own_prices,
    -- Outer join: without a matching SKU, the version and the documents are returned all the same.
    products.sku, products.name, products.price, products.currency, products.areas,
    products.product_id, products.product_name, products.options, products.ship_classes,
    products.weight_grams, products.retired,
    ARRAY(
        SELECT ROW(prices.sku, prices.store_id, prices.currency, prices.valid_from, prices.amount)
        FROM prices
        WHERE store_id IN ('', :store_id)
          AND prices.sku = products.sku
    ) AS prices
FROM (SELECT version FROM catalog_version WHERE id = 1) AS catalog
LEFT JOIN products ON products.sku = ANY(:skus)
