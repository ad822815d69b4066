-- The state of a new order.
INSERT INTO order_states (
    store_id, id, version, updated_at, last_sequence, due_at, cooling_off_seconds, item_count,
    items, status_bitmask, pending, needs, replaces, replaced_by, shipments, corrections
)
VALUES (
    :store_id, :id, :version, :updated_at, :last_sequence, :due_at, :cooling_off_seconds,
    :item_count, :items, :status_bitmask, :pending, :needs, :replaces, :replaced_by, :shipments,
    :corrections
)
