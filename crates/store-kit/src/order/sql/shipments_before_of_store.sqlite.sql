-- The shipments of a store's newest orders in a range of ids, in the order of the primary key.
SELECT found.store_id, found.order_uuid, prefix, number, document
FROM shipments AS found
CROSS JOIN orders
    ON orders.store_id = found.store_id
   AND orders.id = found.order_uuid
WHERE found.store_id = :store_id
  AND found.order_uuid >= :from_id
  AND found.order_uuid < :wanted
ORDER BY found.order_uuid DESC, found.position DESC
LIMIT :count
