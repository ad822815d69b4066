-- Reads a complete order, and replaces its customer, addresses, bill and words. The items stay
-- unchanged because the request has none, as in the service.
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
),
who AS MATERIALIZED ({customer}),
given AS MATERIALIZED ({items}),
moved AS (
    UPDATE order_states
    SET version = found.version + 1, updated_at = {now}, last_sequence = nextval('bench_number'),
        items = found.states
    FROM found
    WHERE order_states.store_id = :store_id::text
      AND order_states.id = found.id
      AND order_states.version = found.version
    RETURNING order_states.*, found.n, found.last_sequence AS previous, found.updated_at AS previous_at
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, previous_sequence, previous_at, kind, actor,
        actor_id, request_id, moves, changes
    )
    SELECT store_id, last_sequence, id, version, updated_at, previous, previous_at, 'order.updated',
        'store', id, id, '[]', changes
    FROM moved,
        -- About as many bytes as the service stores: each changed address field, before and after.
        (SELECT shipping_address || billing_address || bill || left(billing_address, 180) AS changes FROM found) AS old
),
changed AS (
    UPDATE orders
    SET {changed}, priced_at = {now}, art = orders.art, fingerprint = orders.fingerprint
    FROM moved, who
    WHERE orders.store_id = :store_id::text AND orders.id = moved.id
    RETURNING orders.id, orders.order_id, orders.number
),
words AS (
    UPDATE order_words
    SET words = {words}
    FROM changed, who
    WHERE order_words.store_id = :store_id::text AND order_words.id = changed.id
),
outdated AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT store_id, id, version - 1 FROM moved
)
SELECT found::text FROM found
