-- The shipments of an order as an array, a part of the statements that read whole orders.
CASE WHEN order_states.shipments > 0 THEN ARRAY(
    SELECT document
    FROM shipments
    WHERE shipments.store_id = {store}
      AND shipments.order_uuid = orders.id
    ORDER BY position
) ELSE ARRAY[]::TEXT[] END
