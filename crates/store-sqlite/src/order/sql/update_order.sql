-- The new content of an order. Returns the row_id of the order, and the number of the chunk as in
-- chunk_of.sql.
UPDATE orders
SET
    order_id = :order_id,
    prefix = :prefix,
    number = :number,
    label_url = :label_url,
    source = :source,
    test = :test,
    currency = :currency,
    email = :email,
    shipping_address = :shipping_address,
    billing_address = :billing_address,
    customer_first_name = :customer_first_name,
    customer_last_name = :customer_last_name,
    production_note = :production_note,
    fingerprint = :fingerprint,
    art = :art,
    bill = :bill,
    priced_at = :priced_at,
    size = :size
WHERE store_id = :store_id
  AND id = :id
RETURNING
    row_id,
    (
        SELECT chunk
        FROM order_chunks
        WHERE order_chunks.store_id = orders.store_id
          AND from_id <= orders.id
        ORDER BY from_id DESC
        LIMIT 1
    ) AS chunk
