-- Looks up the shipment with the id :wanted, of the stores in the JSON array :stores, or of all stores if :stores is NULL.
-- Looks store by store, because the index begins with the store.
SELECT orders.store_id, orders.id, orders.prefix, orders.number, found.document
-- Has one row for each store.
FROM event_counters
CROSS JOIN LATERAL (
    SELECT order_uuid, position, document
    FROM shipments
    WHERE shipments.store_id = event_counters.store_id
      AND shipments.id = :wanted
    ORDER BY order_uuid DESC, position DESC
    LIMIT :count
) AS found
JOIN orders ON orders.store_id = event_counters.store_id AND orders.id = order_uuid
WHERE CAST(:stores AS TEXT) IS NULL
   OR event_counters.store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))
ORDER BY order_uuid DESC, position DESC
LIMIT :count
