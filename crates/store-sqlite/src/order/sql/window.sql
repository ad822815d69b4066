store_id = :store_id
AND id >= :from_id
AND id < :before_id
