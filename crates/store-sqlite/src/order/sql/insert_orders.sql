-- A new order. Skipped if the store has an order with the same order id.
INSERT INTO orders (
    row_id, store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
    shipping_address, billing_address, customer_first_name, customer_last_name, production_note,
    fingerprint, art, bill, priced_at, size
)
VALUES (
    :row_id, :store_id, :id, :order_id, :prefix, :number, :label_url, :source, :test, :currency,
    :email, :shipping_address, :billing_address, :customer_first_name, :customer_last_name,
    :production_note, :fingerprint, :art, :bill, :priced_at, :size
)
ON CONFLICT (store_id, order_id) DO NOTHING
