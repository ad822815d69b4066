-- Adds an order with its words, three items, state and first event. The event's sequence is the
-- order's number. The store's cooling-off period is 14 days. The words use chunk 0, which the
-- service never uses: as with the service's latest chunk, new orders change only one part of the
-- index.
WITH hashed AS (
    SELECT n, md5(n::text || random()) AS hash, {now} AS now, {store} AS store_id, {prefix} AS prefix
    FROM (SELECT nextval('bench_number') AS n) AS numbers
),
keys AS (
    SELECT *,
        lpad(to_hex(now >> 16), 8, '0') || '-' || lpad(to_hex(now & 65535), 4, '0') || '-7' ||
        substr(hash, 1, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12) AS id
    FROM hashed
),
who AS MATERIALIZED ({customer}),
given AS MATERIALIZED ({items}),
added AS (
    INSERT INTO orders ({columns})
    SELECT {values} FROM keys, who
    ON CONFLICT (store_id, order_id) DO NOTHING
    RETURNING store_id, id
),
words AS (
    INSERT INTO order_words (store_id, id, chunk, words)
    SELECT added.store_id, added.id, 0, {words} FROM added, keys, who
),
items AS (
    INSERT INTO line_items (
        store_id, order_uuid, position, id, name, sku, quantity, ship_class, name_given, unit_cost
    )
    SELECT added.store_id, added.id, given.position,
        left(added.id, 24) || substr(md5(added.id || given.position), 1, 12), given.name, given.sku,
        given.quantity, given.ship_class, TRUE, given.unit_cost
    FROM added, given
),
states AS (
    INSERT INTO order_states (
        store_id, id, version, updated_at, last_sequence, due_at, cooling_off_seconds, item_count, items,
        status_bitmask
    )
    SELECT added.store_id, added.id, 1, keys.now, n, keys.now + 1209600000, 1209600, 3,
        '[[[1,3],"cooling-off",' || keys.now + 1209600000 || ']]', 2050
    FROM added, keys
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, kind, actor, actor_id, request_id, moves
    )
    SELECT added.store_id, n, added.id, 1, keys.now, 'order.created', 'store', added.id, added.id,
        (SELECT '[[["' || string_agg(
            left(added.id, 24) || substr(md5(added.id || given.position), 1, 12), '","'
        ) || '"],"cooling-off"]]' FROM given)
    FROM added, keys
)
SELECT id FROM added
