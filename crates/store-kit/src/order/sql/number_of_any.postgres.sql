-- The number of the order :id, which is an order of one of the stores in the JSON array :stores, or
-- of any store if :stores is NULL. Looks store by store, because the key begins with the store.
SELECT found.prefix, found.number
-- Has one row for each store.
FROM event_counters
CROSS JOIN LATERAL (
    SELECT prefix, number
    FROM orders
    WHERE orders.store_id = event_counters.store_id
      AND orders.id = :id
    -- Keeps the planner from reading the orders of all stores for a join.
    LIMIT 1
) AS found
WHERE CAST(:stores AS TEXT) IS NULL
   OR event_counters.store_id = ANY(ARRAY(SELECT json_array_elements_text(:stores::json)))
LIMIT 1
