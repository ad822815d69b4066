-- Changes the orders that have the expected version. Returns the version of the catalog, the
-- positions of the changes with orders that could be locked, and positions and event sequences of
-- the changes that were carried out. Same as move.sql, but also writes the new content of orders,
-- with their words and items. {skip_locked} is SKIP LOCKED, or nothing in a statement that waits for
-- locked orders.
WITH
catalog AS MATERIALIZED (
    SELECT version AS catalog FROM catalog_version
),
-- Changes priced with the current catalog, or without any catalog.
given AS MATERIALIZED (
    SELECT *
    FROM UNNEST(
        :states_store_id::TEXT[], :states_id::TEXT[], :states_version::INTEGER[],
        :states_updated_at::BIGINT[], :states_last_sequence::BIGINT[], :states_due_at::BIGINT[],
        :states_cooling_off_seconds::INTEGER[], :states_item_count::INTEGER[],
        :states_items::TEXT[], :states_status_bitmask::SMALLINT[], :states_pending::TEXT[],
        :states_needs::TEXT[], :states_replaces::TEXT[], :states_replaced_by::TEXT[],
        :states_shipments::INTEGER[], :states_corrections::INTEGER[],
        :events_previous_sequence::BIGINT[], :events_previous_at::BIGINT[], :events_kind::TEXT[],
        :events_actor::TEXT[], :events_actor_id::TEXT[], :events_reason::TEXT[],
        :events_request_id::TEXT[], :events_moves::TEXT[], :events_changes::TEXT[],
        :events_shipment::TEXT[],
        :expected::INTEGER[], :priced_with::BIGINT[]
    )
        WITH ORDINALITY
        AS given(
            store_id, id, version, updated_at, last_sequence, due_at, cooling_off_seconds,
            item_count, items, status_bitmask, pending, needs, replaces, replaced_by, shipments,
            corrections,
            previous_sequence, previous_at, kind, actor, actor_id, reason, request_id, moves,
            changes, shipment,
            expected, priced_with, place
        )
    WHERE priced_with IS NULL
       OR priced_with = (SELECT catalog FROM catalog)
),
-- The changes of orders that could be locked, each with the current version of its order.
seen AS MATERIALIZED (
    SELECT place, order_states.version AS stored_version
    FROM given
    JOIN order_states USING (store_id, id)
    FOR NO KEY UPDATE OF order_states {skip_locked}
),
-- Only the first of several changes of an order is accepted.
accepted AS MATERIALIZED (
    SELECT DISTINCT ON (store_id, id) place
    FROM given
    JOIN seen USING (place)
    WHERE stored_version = expected
    ORDER BY store_id, id, place
),
-- Locks the event counters, sorted by store. Locked after all orders: nothing after this step waits
-- for another transaction.
event_counts AS MATERIALIZED (
    SELECT store_id, last_sequence AS counted
    FROM event_counters
    WHERE store_id = ANY(ARRAY(SELECT store_id FROM given JOIN accepted USING (place)))
      AND (SELECT count(*) FROM accepted) > 0
    ORDER BY store_id
    FOR UPDATE
),
-- Sequences in the order of the changes, without gaps.
sequenced AS MATERIALIZED (
    SELECT
        given.*,
        counted + row_number() OVER (PARTITION BY store_id ORDER BY place) AS sequence
    FROM given
    JOIN accepted USING (place)
    JOIN event_counts USING (store_id)
),
changed AS (
    UPDATE order_states
    SET
        version = sequenced.version,
        updated_at = sequenced.updated_at,
        last_sequence = sequenced.sequence,
        due_at = sequenced.due_at,
        cooling_off_seconds = sequenced.cooling_off_seconds,
        item_count = sequenced.item_count,
        items = sequenced.items,
        status_bitmask = sequenced.status_bitmask,
        pending = sequenced.pending,
        needs = sequenced.needs,
        replaces = sequenced.replaces,
        replaced_by = sequenced.replaced_by,
        shipments = sequenced.shipments,
        corrections = sequenced.corrections
    FROM sequenced
    WHERE order_states.store_id = sequenced.store_id
      AND order_states.id = sequenced.id
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, previous_sequence, previous_at,
        kind, actor, actor_id, reason, request_id, moves, changes, shipment
    )
    SELECT
        store_id, sequence, id, version, updated_at, previous_sequence, previous_at,
        kind, actor, actor_id, reason, request_id, moves, changes, shipment
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
),
written_shipments AS (
    INSERT INTO shipments (store_id, order_uuid, position, id, tracking_number, document)
    SELECT
        sequenced.store_id, sequenced.id, shipment.position, shipment.id,
        shipment.tracking_number, shipment.document
    FROM UNNEST(
        :shipments_position::INTEGER[], :shipments_id::TEXT[], :shipments_tracking_number::TEXT[],
        :shipments_document::TEXT[],
        :shipment_places::BIGINT[]
    )
        AS shipment(position, id, tracking_number, document, place)
    JOIN sequenced USING (place)
    -- A changed shipment, such as with a new tracking number, replaces the stored shipment.
    ON CONFLICT (store_id, order_uuid, position) DO UPDATE
    SET tracking_number = excluded.tracking_number, document = excluded.document
),
added_corrections AS (
    INSERT INTO fee_corrections (store_id, order_uuid, position, document)
    SELECT sequenced.store_id, sequenced.id, line.position, line.document
    FROM UNNEST(
        :corrections_position::INTEGER[], :corrections_document::TEXT[],
        :correction_places::BIGINT[]
    )
        AS line(position, document, place)
    JOIN sequenced USING (place)
),
given_content AS MATERIALIZED (
    SELECT
        given.*,
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
        )) AS lexemes
    FROM UNNEST(
        :orders_store_id::TEXT[], :orders_id::TEXT[], :orders_order_id::TEXT[],
        :orders_prefix::TEXT[], :orders_number::BIGINT[], :orders_label_url::TEXT[],
        :orders_source::TEXT[], :orders_test::BOOLEAN[], :orders_currency::TEXT[],
        :orders_email::TEXT[], :orders_shipping_address::TEXT[], :orders_billing_address::TEXT[],
        :orders_customer_first_name::TEXT[], :orders_customer_last_name::TEXT[],
        :orders_production_note::TEXT[], :orders_fingerprint::BYTEA[], :orders_art::TEXT[],
        :orders_bill::TEXT[], :orders_priced_at::BIGINT[], :orders_size::INTEGER[],
        :words::TEXT[], :item_counts::BIGINT[], :content_places::BIGINT[]
    )
        AS given(
            store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
            shipping_address, billing_address, customer_first_name, customer_last_name,
            production_note, fingerprint, art, bill, priced_at, size,
            words, item_count, place
        )
    -- The chunk never changes, so that it is read without a lock.
    CROSS JOIN LATERAL (
        SELECT chunk
        FROM order_words
        WHERE order_words.store_id = given.store_id
          AND order_words.id = given.id
        -- Looked up for each order, whatever statistics the planner has.
        OFFSET 0
    ) AS stored
    -- Only the accepted changes.
    WHERE place = ANY(ARRAY(SELECT place FROM sequenced))
),
content AS (
    UPDATE orders
    -- The omitted columns identify the row and its number.
    SET
        order_id = given.order_id,
        label_url = given.label_url,
        source = given.source,
        test = given.test,
        currency = given.currency,
        email = given.email,
        shipping_address = given.shipping_address,
        billing_address = given.billing_address,
        customer_first_name = given.customer_first_name,
        customer_last_name = given.customer_last_name,
        production_note = given.production_note,
        fingerprint = given.fingerprint,
        art = given.art,
        bill = given.bill,
        priced_at = given.priced_at,
        size = given.size
    FROM given_content AS given
    WHERE orders.store_id = given.store_id
      AND orders.id = given.id
),
-- Skips unchanged words, because each word is an entry of the index.
words AS (
    UPDATE order_words
    SET words = given.lexemes
    FROM given_content AS given
    WHERE order_words.store_id = given.store_id
      AND order_words.id = given.id
      AND order_words.words <> given.lexemes
    RETURNING order_words.store_id, order_words.id, given.place
),
-- The word lists of the background thread contain the old words: records the orders as changed.
outdated AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT words.store_id, words.id, sequenced.expected
    FROM words
    JOIN sequenced USING (place)
),
-- The new content may have fewer items.
removed_items AS (
    DELETE FROM line_items
    USING given_content AS given
    WHERE line_items.store_id = given.store_id
      AND line_items.order_uuid = given.id
      AND line_items.position >= given.item_count
),
-- Items that are new or differ from the stored items. Stored items are looked up one by one, by
-- their key, whatever statistics the planner has: OFFSET 0 keeps it from joining.
written_items AS (
    INSERT INTO line_items (
        store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity, ship_class,
        unit_cost
    )
    SELECT
        given.store_id, given.id, item.position, item.id, item.ref_id, item.name,
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
    JOIN given_content AS given USING (place)
    WHERE NOT EXISTS (
        SELECT
        FROM line_items AS stored
        WHERE stored.store_id = given.store_id
          AND stored.order_uuid = given.id
          AND stored.position = item.position
          AND (
              stored.id, stored.ref_id, stored.name, stored.name_given, stored.sku,
              stored.quantity, stored.ship_class, stored.unit_cost
          ) IS NOT DISTINCT FROM (
              item.id, item.ref_id, item.name, item.name_given, item.sku,
              item.quantity, item.ship_class, item.unit_cost
          )
        OFFSET 0
    )
    ON CONFLICT (store_id, order_uuid, position) DO UPDATE
    SET
        id = excluded.id,
        ref_id = excluded.ref_id,
        name = excluded.name,
        name_given = excluded.name_given,
        sku = excluded.sku,
        quantity = excluded.quantity,
        ship_class = excluded.ship_class,
        unit_cost = excluded.unit_cost
)
SELECT
    catalog,
    ARRAY(SELECT place FROM seen) AS seen,
    ARRAY(SELECT place FROM sequenced ORDER BY place) AS changed,
    ARRAY(SELECT sequence FROM sequenced ORDER BY place) AS sequences
FROM catalog
