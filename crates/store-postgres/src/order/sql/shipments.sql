-- The shipments of an order as an array. A part of the statements that read whole orders. The
-- counter in the state saves the look-up for orders without shipments.
CASE WHEN order_states.shipments > 0 THEN ARRAY(
    SELECT document
    FROM shipments
    WHERE shipments.store_id = {store}
      AND shipments.order_uuid = orders.id
    ORDER BY position
) ELSE ARRAY[]::TEXT[] END
