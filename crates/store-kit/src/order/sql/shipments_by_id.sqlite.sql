-- Looks up the shipment with the id :wanted, of the stores in the JSON list :stores, or of all stores. Looks store by
-- store, because the index begins with the store.
SELECT store_id, order_uuid, prefix, number, document
FROM (
    -- Limits the keys first, so that no document beyond :count is read.
    SELECT wanted.store_id, wanted.order_uuid, wanted.position
    FROM store_counters
    CROSS JOIN shipments AS wanted INDEXED BY shipments_by_id
        ON wanted.store_id = store_counters.store_id
    WHERE wanted.id = :wanted
      AND (:stores IS NULL OR store_counters.store_id IN (SELECT value FROM json_each(:stores)))
    ORDER BY wanted.order_uuid DESC, wanted.position DESC
    LIMIT :count
) AS found
CROSS JOIN shipments USING (store_id, order_uuid, position)
CROSS JOIN orders USING (store_id)
WHERE orders.id = order_uuid
ORDER BY order_uuid DESC, position DESC
