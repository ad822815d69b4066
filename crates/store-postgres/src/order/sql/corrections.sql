-- The fee lines of operators as an array, a part of the statements that read whole orders.
CASE WHEN order_states.corrections > 0 THEN ARRAY(
    SELECT document
    FROM fee_corrections
    WHERE fee_corrections.store_id = {store}
      AND fee_corrections.order_uuid = orders.id
    ORDER BY position
) ELSE ARRAY[]::TEXT[] END
