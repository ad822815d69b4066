-- The orders of several stores by their order ids, or else by their numbers, with their items in an
-- array.
SELECT place, orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM UNNEST(:stores, :order_ids, :numbers)
    WITH ORDINALITY AS given(store_id, order_id, number, place)
CROSS JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = given.store_id
      AND orders.id = COALESCE(
          (
              SELECT id
              FROM orders
              WHERE orders.store_id = given.store_id
                AND orders.order_id = given.order_id
          ),
          (
              SELECT id
              FROM orders
              WHERE orders.store_id = given.store_id
                AND orders.number = given.number
          )
      )
    -- Keeps the planner from joining in any other way than name by name.
    OFFSET 0
) AS orders
{state}
