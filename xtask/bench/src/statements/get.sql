-- Reads a drawn order of the hot store with all its parts.
WITH found AS MATERIALIZED (
    SELECT orders.*, order_states.version, order_states.updated_at, order_states.last_sequence,
        order_states.items AS states, orders.number AS n, ARRAY(
            SELECT ROW(position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost)
            FROM line_items
            WHERE line_items.store_id = orders.store_id AND line_items.order_uuid = orders.id
            ORDER BY position
        ) AS items
    FROM orders
    JOIN order_states USING (store_id, id)
    WHERE store_id = :store_id::text AND order_id = 'W-' || lpad(:j::text, 8, '0')
)
SELECT found::text FROM found
