-- Shipments of the store :store_id, which is also in :rows, that were recorded within the hours.
SELECT given.store_id, shipments.id, shipments.document
FROM json_to_recordset(:rows::json) AS given(store_id text)
JOIN shipments
    ON shipments.store_id = :store_id
    AND shipments.id >= :hour_a
    AND shipments.id < :hour_y
