LEFT JOIN open_batch_items AS batches
    ON batches.store_id = {store}
    AND batches.order_uuid = given.id
    AND batches.item_id = items.id
