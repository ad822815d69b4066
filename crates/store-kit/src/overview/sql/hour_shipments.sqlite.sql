-- Shipments of the given stores that were recorded within the hours.
SELECT given.store_id, shipments.id, shipments.document
FROM (SELECT value ->> 'store_id' AS store_id FROM json_each(:rows)) AS given
JOIN shipments
    ON shipments.store_id = given.store_id
    AND shipments.id >= :hour_a
    AND shipments.id < :hour_y
