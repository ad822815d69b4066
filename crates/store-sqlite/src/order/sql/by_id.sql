-- A store's order with the id :id, with its state, without its items.
SELECT
    orders.store_id, orders.id, orders.order_id, orders.prefix, orders.number, orders.label_url,
    orders.source, orders.test, orders.currency, orders.email, orders.shipping_address,
    orders.billing_address, orders.customer_first_name, orders.customer_last_name,
    orders.production_note, orders.fingerprint, orders.art, orders.bill, orders.priced_at,
    orders.size, order_states.store_id, order_states.id, order_states.version,
    order_states.updated_at, order_states.last_sequence, order_states.due_at,
    order_states.cooling_off_seconds, order_states.item_count, order_states.items,
    order_states.status_bitmask, order_states.pending, order_states.needs,
    order_states.replaces, order_states.replaced_by, order_states.shipments,
    order_states.corrections
FROM orders
JOIN order_states USING (store_id, id)
WHERE orders.store_id = :store_id
  AND orders.id = :id
