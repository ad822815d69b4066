-- Adds one order with its words, items, state and first event, like create.sql. Returns its store's
-- prefix, its number and event sequence if it was stored, and the version of the catalog. Without
-- arrays of orders and their joins it takes half the time.
WITH
-- Locks the store's counter. An unknown store has no counter.
locked AS MATERIALIZED (
    SELECT
        -- The prefix never changes, so that it is read without a lock.
        (SELECT prefix FROM stores WHERE stores.store_id = :store_id) AS prefix,
        last_number + 1 AS number,
        chunk,
        chunk_from,
        chunks_from
    FROM store_counters
    WHERE store_counters.store_id = :store_id
    FOR UPDATE
),
added AS (
    INSERT INTO orders (
        store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
        shipping_address, billing_address, customer_first_name, customer_last_name,
        production_note, fingerprint, art, bill, priced_at, size
    )
    SELECT
        given.store_id, given.id, given.order_id, locked.prefix, locked.number, given.label_url,
        given.source, given.test, given.currency, given.email, given.shipping_address,
        given.billing_address, given.customer_first_name, given.customer_last_name,
        given.production_note, given.fingerprint, given.art, given.bill, given.priced_at,
        given.size
    FROM
        (
            SELECT
                :order_store_id::TEXT, :order_id::TEXT, :order_order_id::TEXT, :order_prefix::TEXT,
                :order_number::BIGINT, :order_label_url::TEXT, :order_source::TEXT,
                :order_test::BOOLEAN, :order_currency::TEXT, :order_email::TEXT,
                :order_shipping_address::TEXT, :order_billing_address::TEXT,
                :order_customer_first_name::TEXT, :order_customer_last_name::TEXT,
                :order_production_note::TEXT, :order_fingerprint::BYTEA, :order_art::TEXT,
                :order_bill::TEXT, :order_priced_at::BIGINT, :order_size::INTEGER
        ) AS given(
            store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
            shipping_address, billing_address, customer_first_name, customer_last_name,
            production_note, fingerprint, art, bill, priced_at, size
        ),
        locked,
        catalog_version
    -- Without :priced_with, the order is accepted with any version of the catalog.
    WHERE COALESCE(catalog_version.version = :priced_with, TRUE)
    -- The unique key decides whether the order is new.
    ON CONFLICT (store_id, order_id) DO NOTHING
    RETURNING store_id, id, prefix, number
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
    FROM (
        SELECT
            added.*,
            -- The order of a server with a slow clock may belong to an earlier chunk.
            CASE
                WHEN added.id >= locked.chunk_from THEN locked.chunk
                ELSE width_bucket(added.id, locked.chunks_from)
            END AS chunk,
            given.words
        FROM added, locked, (SELECT :words::TEXT) AS given(words)
    ) AS added
),
-- Word lists may have been built without the order.
late AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT store_id, id, 0
    FROM added, locked
    WHERE id < chunk_from
),
items AS (
    INSERT INTO line_items (
        store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity, ship_class,
        unit_cost
    )
    SELECT
        added.store_id, added.id, item.position, item.id, item.ref_id, item.name,
        item.name_given, item.sku, item.quantity, item.ship_class, item.unit_cost
    FROM
        added,
        UNNEST(
            :items_position::INTEGER[], :items_id::TEXT[], :items_ref_id::TEXT[],
            :items_name::TEXT[], :items_name_given::BOOLEAN[], :items_sku::TEXT[],
            :items_quantity::INTEGER[], :items_ship_class::TEXT[], :items_unit_cost::BIGINT[]
        ) AS item(position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost)
),
counted AS (
    UPDATE store_counters
    SET last_number = added.number, newest_id = greatest(newest_id, added.id)
    FROM added
    WHERE store_counters.store_id = :store_id
),
-- Advances the event counter, locked only after the order is known to be new.
sequenced AS (
    UPDATE event_counters
    SET last_sequence = last_sequence + 1
    FROM added
    WHERE event_counters.store_id = :store_id
    RETURNING added.store_id, added.id, last_sequence AS sequence
),
placed AS (
    SELECT
        sequenced.*,
        given.updated_at, given.due_at, given.cooling_off_seconds, given.item_count, given.items,
        given.status_bitmask, given.replaces,
        given.actor, given.actor_id, given.reason, given.request_id, given.moves
    FROM
        sequenced,
        (
            SELECT
                :state_updated_at::BIGINT, :state_due_at::BIGINT,
                :state_cooling_off_seconds::INTEGER, :state_item_count::INTEGER, :state_items::TEXT,
                :state_status_bitmask::SMALLINT, :state_replaces::TEXT, :event_actor::TEXT,
                :event_actor_id::TEXT, :event_reason::TEXT, :event_request_id::TEXT,
                :event_moves::TEXT
        ) AS given(
            updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces,
            actor, actor_id, reason, request_id, moves
        )
),
states AS (
    INSERT INTO order_states (
        store_id, id, version, last_sequence,
        updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces
    )
    SELECT
        store_id, id, 1, sequence,
        updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces
    FROM placed
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, kind,
        actor, actor_id, reason, request_id, moves
    )
    SELECT
        store_id, sequence, id, 1, updated_at, 'order.created',
        actor, actor_id, reason, request_id, moves
    FROM placed
)
-- Subqueries rather than joins: the row is returned even if nothing was stored.
SELECT
    (SELECT prefix FROM locked),
    (SELECT number FROM added),
    (SELECT sequence FROM sequenced),
    version AS catalog
FROM catalog_version
