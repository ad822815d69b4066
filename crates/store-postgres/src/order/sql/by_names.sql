-- The orders of several stores by their order ids, and by their numbers or ids, with their items in
-- an array. A name that fits two orders has two rows.
SELECT place, orders.*, order_states.*, {items}, {shipment_documents}, {correction_documents}
FROM UNNEST(:stores, :order_ids, :numbers, :ids)
    WITH ORDINALITY AS given(store_id, order_id, number, id, place)
CROSS JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = given.store_id
      AND orders.id = ANY(ARRAY[
          (
              SELECT orders.id
              FROM orders
              WHERE orders.store_id = given.store_id
                AND orders.order_id = given.order_id
          ),
          (
              SELECT orders.id
              FROM orders
              WHERE orders.store_id = given.store_id
                AND orders.number = given.number
          ),
          given.id
      ])
    -- Keeps the planner from joining in any other way than name by name.
    OFFSET 0
) AS orders
{state}
