-- Shipments that are looked up, of the stores of a JSON list or of all. Looks store by store, by an index
-- that begins with the store.
SELECT store_id, order_uuid, prefix, number, document
FROM (
    -- No document is read of shipments beyond the count.
    SELECT wanted.store_id, wanted.order_uuid, wanted.position
    FROM event_counters
    CROSS JOIN shipments AS wanted INDEXED BY {index}
        ON wanted.store_id = event_counters.store_id
    WHERE {is_wanted}
      AND (:stores IS NULL OR event_counters.store_id IN (SELECT value FROM json_each(:stores)))
    ORDER BY wanted.order_uuid DESC, wanted.position DESC
    LIMIT :count
) AS found
CROSS JOIN shipments USING (store_id, order_uuid, position)
CROSS JOIN orders USING (store_id)
WHERE orders.id = order_uuid
ORDER BY order_uuid DESC, position DESC
