-- Adds orders with their words, items, states and first events. Returns for each order its
-- position, its store's prefix, its number and event sequence if it was stored, and the version of
-- the catalog.
WITH
-- Locks the counters, sorted by store so that transactions cannot deadlock. An unknown store has no
-- counter.
locked AS MATERIALIZED (
    SELECT
        store_id,
        last_number,
        chunk,
        chunk_from,
        chunks_from,
        -- The prefix never changes, so that it is read without a lock.
        (SELECT prefix FROM stores WHERE stores.store_id = store_counters.store_id) AS prefix
    FROM store_counters
    WHERE store_id = ANY(:stores)
    ORDER BY store_id
    FOR UPDATE
),
-- The orders with their numbers and chunks.
given AS MATERIALIZED (
    SELECT
        given.store_id, given.id, given.order_id, given.label_url, given.source, given.test,
        given.currency, given.email, given.shipping_address, given.billing_address,
        given.customer_first_name, given.customer_last_name, given.production_note,
        given.fingerprint, given.art, given.bill, given.priced_at, given.size,
        locked.prefix,
        locked.last_number + given.place_in_store AS number,
        -- The order of a server with a slow clock may belong to an earlier chunk.
        CASE
            WHEN given.id >= locked.chunk_from THEN locked.chunk
            ELSE width_bucket(given.id, locked.chunks_from)
        END AS chunk,
        given.id < locked.chunk_from AS is_late,
        given.words,
        given.updated_at, given.due_at, given.cooling_off_seconds, given.item_count, given.items,
        given.status_bitmask, given.replaces,
        given.actor, given.actor_id, given.reason, given.request_id, given.moves,
        given.priced_with,
        given.place
    FROM UNNEST(
        :orders_store_id::TEXT[], :orders_id::TEXT[], :orders_order_id::TEXT[],
        :orders_prefix::TEXT[], :orders_number::BIGINT[], :orders_label_url::TEXT[],
        :orders_source::TEXT[], :orders_test::BOOLEAN[], :orders_currency::TEXT[],
        :orders_email::TEXT[], :orders_shipping_address::TEXT[], :orders_billing_address::TEXT[],
        :orders_customer_first_name::TEXT[], :orders_customer_last_name::TEXT[],
        :orders_production_note::TEXT[], :orders_fingerprint::BYTEA[], :orders_art::TEXT[],
        :orders_bill::TEXT[], :orders_priced_at::BIGINT[], :orders_size::INTEGER[],
        :states_updated_at::BIGINT[], :states_due_at::BIGINT[],
        :states_cooling_off_seconds::INTEGER[], :states_item_count::INTEGER[],
        :states_items::TEXT[], :states_status_bitmask::SMALLINT[], :states_replaces::TEXT[],
        :events_actor::TEXT[], :events_actor_id::TEXT[], :events_reason::TEXT[],
        :events_request_id::TEXT[], :events_moves::TEXT[],
        :places_in_store::BIGINT[], :words::TEXT[], :priced_with::BIGINT[]
    )
        WITH ORDINALITY
        AS given(
            store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
            shipping_address, billing_address, customer_first_name, customer_last_name,
            production_note, fingerprint, art, bill, priced_at, size,
            updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces,
            actor, actor_id, reason, request_id, moves,
            place_in_store, words, priced_with, place
        )
    -- Outer join: an order of an unknown store gets no number and is not stored.
    LEFT JOIN locked USING (store_id)
),
-- One row, which also shows the caller that the catalog has changed.
catalog AS MATERIALIZED (
    SELECT version AS catalog FROM catalog_version
),
added AS (
    INSERT INTO orders (
        store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
        shipping_address, billing_address, customer_first_name, customer_last_name,
        production_note, fingerprint, art, bill, priced_at, size
    )
    SELECT
        store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
        shipping_address, billing_address, customer_first_name, customer_last_name,
        production_note, fingerprint, art, bill, priced_at, size
    FROM given, catalog
    WHERE number IS NOT NULL
      AND (priced_with IS NULL OR priced_with = catalog)
    -- The unique key decides whether an order is new.
    ON CONFLICT (store_id, order_id) DO NOTHING
    RETURNING store_id, id
),
-- The new orders, without duplicates.
stored AS MATERIALIZED (
    SELECT
        place, store_id, id, chunk, is_late, prefix, number, words,
        updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces,
        actor, actor_id, reason, request_id, moves
    FROM given
    JOIN added USING (store_id, id)
),
words AS (
    INSERT INTO order_words (store_id, id, chunk, words)
    SELECT
        store_id, id, chunk,
        -- Described in words.rs.
        array_to_tsvector(string_to_array(
            substr(
                replace(
                    chr(1) || words || chr(1) || lower(prefix) || '-' || number || chr(1) || number,
                    chr(1),
                    chr(1) || left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)
                ),
                2
            ),
            chr(1)
        ))
    FROM stored
),
-- Word lists may have been built without the new orders.
late AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT store_id, id, 0
    FROM stored
    WHERE is_late
),
items AS (
    INSERT INTO line_items (
        store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity, ship_class,
        unit_cost
    )
    SELECT
        stored.store_id, stored.id, item.position, item.id, item.ref_id, item.name,
        item.name_given, item.sku, item.quantity, item.ship_class, item.unit_cost
    FROM UNNEST(
        :items_position::INTEGER[], :items_id::TEXT[], :items_ref_id::TEXT[], :items_name::TEXT[],
        :items_name_given::BOOLEAN[], :items_sku::TEXT[], :items_quantity::INTEGER[],
        :items_ship_class::TEXT[], :items_unit_cost::BIGINT[],
        :item_places::BIGINT[]
    )
        AS item(
            position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost, place
        )
    JOIN stored USING (place)
),
-- Duplicates after the last stored order use up no number.
counted AS (
    UPDATE store_counters
    SET last_number = taken.number, newest_id = greatest(newest_id, taken.highest_id)
    FROM (
        SELECT store_id, max(number) AS number, max(id) AS highest_id
        FROM stored
        GROUP BY store_id
    ) AS taken
    WHERE store_counters.store_id = taken.store_id
),
-- Locks the event counters, sorted by store. Locked only after the new orders are known: nothing
-- after this step waits for another transaction. The condition, always true, enforces the order of
-- the steps.
event_counts AS MATERIALIZED (
    SELECT store_id, last_sequence
    FROM event_counters
    WHERE store_id = ANY(:event_stores)
      AND (SELECT count(*) FROM stored) >= 0
    ORDER BY store_id
    FOR UPDATE
),
-- Only stored orders get a sequence, so that duplicates leave no gap.
sequenced AS MATERIALIZED (
    SELECT
        place, store_id, id, number,
        updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces,
        actor, actor_id, reason, request_id, moves,
        last_sequence + row_number() OVER (PARTITION BY store_id ORDER BY place) AS sequence
    FROM stored
    JOIN event_counts USING (store_id)
),
states AS (
    INSERT INTO order_states (
        store_id, id, version, last_sequence,
        updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces
    )
    SELECT
        store_id, id, 1, sequence,
        updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces
    FROM sequenced
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, kind,
        actor, actor_id, reason, request_id, moves
    )
    SELECT
        store_id, sequence, id, 1, updated_at, 'order.created',
        actor, actor_id, reason, request_id, moves
    FROM sequenced
),
events_counted AS (
    UPDATE event_counters
    SET last_sequence = taken.sequence
    FROM (
        SELECT store_id, max(sequence) AS sequence
        FROM sequenced
        GROUP BY store_id
    ) AS taken
    WHERE event_counters.store_id = taken.store_id
)
-- Outer join: an order that was not stored has neither number nor sequence.
SELECT place, given.prefix, sequenced.number, sequenced.sequence, catalog
FROM catalog, given
LEFT JOIN sequenced USING (place)
