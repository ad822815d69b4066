orders
WHERE orders.store_id = :store_id
  AND created_at >= :from_time
  AND (created_at, id) < (:before_time, :before_id)
