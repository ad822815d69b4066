-- The operators' fee lines as an array. A part of the statements that read whole orders. The
-- counter in the state saves the look-up for orders without such lines.
CASE WHEN order_states.corrections > 0 THEN ARRAY(
    SELECT document
    FROM fee_corrections
    WHERE fee_corrections.store_id = {store}
      AND fee_corrections.order_uuid = orders.id
    ORDER BY position
) ELSE ARRAY[]::TEXT[] END
