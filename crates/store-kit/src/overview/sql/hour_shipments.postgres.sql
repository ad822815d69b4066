-- Shipments of the given stores that were recorded within the hours.
SELECT given.store_id, shipments.id, shipments.document
FROM json_to_recordset(:rows::json) AS given(store_id text)
JOIN shipments
    ON shipments.store_id = given.store_id
    AND shipments.id >= :hour_a
    AND shipments.id < :hour_y
