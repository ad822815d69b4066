-- The states of the orders in the JSON list :ids.
SELECT
    order_states.store_id, order_states.id, order_states.version, order_states.updated_at,
    order_states.last_sequence, order_states.due_at, order_states.cooling_off_seconds,
    order_states.item_count, order_states.items, order_states.status_bitmask, order_states.pending,
    order_states.needs, order_states.replaces, order_states.replaced_by, order_states.shipments,
    order_states.corrections
FROM json_each(:ids) AS wanted
CROSS JOIN order_states ON order_states.id = wanted.value
WHERE order_states.store_id = :store_id
