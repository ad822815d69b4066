-- The new state of an order, if the order has the version :expected.
UPDATE order_states
SET
    version = :version,
    updated_at = :updated_at,
    last_sequence = :last_sequence,
    due_at = :due_at,
    cooling_off_seconds = :cooling_off_seconds,
    item_count = :item_count,
    items = :items,
    status_bitmask = :status_bitmask,
    pending = :pending,
    needs = :needs,
    replaces = :replaces,
    replaced_by = :replaced_by,
    shipments = :shipments,
    corrections = :corrections
WHERE store_id = :store_id
  AND id = :id
  AND version = :expected
