-- Shipments of the given stores that were recorded within the hours.
SELECT given.store_id, shipments.id, shipments.document
FROM {given}
JOIN shipments
    ON shipments.store_id = {store}
    AND shipments.id >= :hour_a
    AND shipments.id < :hour_y
