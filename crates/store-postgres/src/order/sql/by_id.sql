-- The order with an id, with its items in an array.
SELECT
    orders.store_id, orders.id, orders.order_id, orders.prefix, orders.number, orders.label_url,
    orders.source, orders.test, orders.currency, orders.email, orders.shipping_address,
    orders.billing_address, orders.customer_first_name, orders.customer_last_name,
    orders.production_note, orders.fingerprint, orders.art, orders.bill, orders.priced_at,
    orders.size,
    order_states.store_id, order_states.id, order_states.version, order_states.updated_at,
    order_states.last_sequence, order_states.due_at, order_states.cooling_off_seconds,
    order_states.item_count, order_states.items, order_states.status_bitmask, order_states.pending,
    order_states.needs, order_states.replaces, order_states.replaced_by, order_states.shipments,
    order_states.corrections,
    ARRAY(
        SELECT
            ROW(
                position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost
            )::item_row
        FROM line_items
        WHERE line_items.store_id = :store_id
          AND line_items.order_uuid = orders.id
        ORDER BY position
    ) AS items,
    -- The counters in the state save the look-ups for orders without shipments and fee lines.
    CASE WHEN order_states.shipments > 0 THEN ARRAY(
        SELECT document
        FROM shipments
        WHERE shipments.store_id = :store_id
          AND shipments.order_uuid = orders.id
        ORDER BY position
    ) ELSE ARRAY[]::TEXT[] END AS shipments,
    CASE WHEN order_states.corrections > 0 THEN ARRAY(
        SELECT document
        FROM fee_corrections
        WHERE fee_corrections.store_id = :store_id
          AND fee_corrections.order_uuid = orders.id
        ORDER BY position
    ) ELSE ARRAY[]::TEXT[] END AS corrections
FROM orders
CROSS JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS order_states
WHERE orders.store_id = :store_id
  AND orders.id = :id
