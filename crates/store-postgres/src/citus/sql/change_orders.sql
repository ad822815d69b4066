-- Changes the orders of one store that have the expected version, as move.sql and change.sql do.
-- Returns the version of the catalog, the positions of the changes with orders that could be locked,
-- and positions and event sequences of the changes that were carried out. Waits for locked orders
-- if `waits` is true, and leaves them out otherwise.
--
-- Runs on the node of the store. Each statement about orders names one table and the store, so that
-- Citus runs it there without a plan for other nodes.
--
-- `states_…`, `events_…`, `expected` and `priced_with` have an element for each change. The arrays
-- of shipments, fee lines (`lines_…`), new contents (`orders_…`) and items have an element for each
-- row: the row's columns, and the position of the change.
CREATE OR REPLACE FUNCTION change_orders(
    of_store text,
    waits boolean,
    states_store_id text[], states_id text[], states_version integer[],
    states_updated_at bigint[], states_last_sequence bigint[], states_due_at bigint[],
    states_cooling_off_seconds integer[], states_item_count integer[], states_items text[],
    states_status_bitmask smallint[], states_pending text[], states_needs text[],
    states_replaces text[], states_replaced_by text[], states_shipments integer[],
    states_corrections integer[],
    events_previous_sequence bigint[], events_previous_at bigint[], events_kind text[],
    events_actor text[], events_actor_id text[], events_reason text[], events_request_id text[],
    events_moves text[], events_changes text[], events_shipment text[],
    expected integer[], priced_with bigint[],
    shipments_position integer[], shipments_id text[], shipments_tracking_number text[],
    shipments_document text[], shipment_places bigint[],
    lines_position integer[], lines_document text[], line_places bigint[],
    orders_store_id text[], orders_id text[], orders_order_id text[], orders_prefix text[],
    orders_number bigint[], orders_label_url text[], orders_source text[], orders_test boolean[],
    orders_currency text[], orders_email text[], orders_shipping_address text[],
    orders_billing_address text[], orders_customer_first_name text[],
    orders_customer_last_name text[], orders_production_note text[], orders_fingerprint bytea[],
    orders_art text[], orders_bill text[], orders_priced_at bigint[], orders_size integer[],
    joined_words text[], item_counts bigint[], order_places bigint[],
    items_position integer[], items_id text[], items_ref_id text[], items_name text[],
    items_name_given boolean[], items_sku text[], items_quantity integer[],
    items_ship_class text[], items_unit_cost bigint[], item_places bigint[]
)
RETURNS TABLE (catalog bigint, seen bigint[], changed bigint[], sequences bigint[])
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $function$
DECLARE
    given record;
    stored_version integer;
    next_sequence bigint;
    a_shipment record;
    line record;
    content record;
    item record;
    lexemes tsvector;
BEGIN
    -- On every node.
    SELECT version INTO catalog FROM catalog_version;
    IF catalog IS NULL THEN
        RETURN;
    END IF;
    seen := '{}';
    changed := '{}';
    sequences := '{}';

    FOR given IN
        SELECT *
        FROM UNNEST(
            states_id, states_version, states_updated_at, states_due_at,
            states_cooling_off_seconds, states_item_count, states_items, states_status_bitmask,
            states_pending, states_needs, states_replaces, states_replaced_by, states_shipments,
            states_corrections,
            events_previous_sequence, events_previous_at, events_kind, events_actor,
            events_actor_id, events_reason, events_request_id, events_moves, events_changes,
            events_shipment,
            expected, priced_with
        )
            WITH ORDINALITY
            AS given(
                id, version, updated_at, due_at, cooling_off_seconds, item_count, items,
                status_bitmask, pending, needs, replaces, replaced_by, shipments, corrections,
                previous_sequence, previous_at, kind, actor, actor_id, reason, request_id, moves,
                changes, shipment,
                expected, priced_with, place
            )
    LOOP
        CONTINUE WHEN given.priced_with <> catalog;
        IF waits THEN
            SELECT version INTO stored_version
            FROM order_states
            WHERE store_id = of_store AND id = given.id
            FOR NO KEY UPDATE;
        ELSE
            SELECT version INTO stored_version
            FROM order_states
            WHERE store_id = of_store AND id = given.id
            FOR NO KEY UPDATE SKIP LOCKED;
        END IF;
        CONTINUE WHEN NOT FOUND;
        seen := seen || given.place;
        -- The second of several changes of an order finds the version of the first.
        CONTINUE WHEN stored_version <> given.expected;

        -- Locks the store's event counter. Later orders are not waited for, because a statement
        -- that waits has one change.
        UPDATE event_counters
        SET last_sequence = last_sequence + 1
        WHERE store_id = of_store
        RETURNING last_sequence INTO next_sequence;
        UPDATE order_states
        SET
            version = given.version,
            updated_at = given.updated_at,
            last_sequence = next_sequence,
            due_at = given.due_at,
            cooling_off_seconds = given.cooling_off_seconds,
            item_count = given.item_count,
            items = given.items,
            status_bitmask = given.status_bitmask,
            pending = given.pending,
            needs = given.needs,
            replaces = given.replaces,
            replaced_by = given.replaced_by,
            shipments = given.shipments,
            corrections = given.corrections
        WHERE store_id = of_store AND id = given.id;
        INSERT INTO order_events (
            store_id, sequence, order_uuid, version, happened_at, previous_sequence, previous_at,
            kind, actor, actor_id, reason, request_id, moves, changes, shipment
        )
        VALUES (
            of_store, next_sequence, given.id, given.version, given.updated_at,
            given.previous_sequence, given.previous_at, given.kind, given.actor, given.actor_id,
            given.reason, given.request_id, given.moves, given.changes, given.shipment
        );
        changed := changed || given.place;
        sequences := sequences || next_sequence;
    END LOOP;

    FOR a_shipment IN
        SELECT *
        FROM UNNEST(
            shipments_position, shipments_id, shipments_tracking_number, shipments_document,
            shipment_places
        )
            AS shipment(position, id, tracking_number, document, place)
    LOOP
        CONTINUE WHEN a_shipment.place <> ALL(changed);
        INSERT INTO shipments (store_id, order_uuid, position, id, tracking_number, document)
        VALUES (
            of_store, states_id[a_shipment.place], a_shipment.position, a_shipment.id,
            a_shipment.tracking_number, a_shipment.document
        )
        -- A changed shipment, such as with a new tracking number, replaces the stored shipment.
        ON CONFLICT (store_id, order_uuid, position) DO UPDATE
        SET tracking_number = excluded.tracking_number, document = excluded.document;
    END LOOP;

    FOR line IN
        SELECT *
        FROM UNNEST(lines_position, lines_document, line_places)
            AS line(position, document, place)
    LOOP
        CONTINUE WHEN line.place <> ALL(changed);
        INSERT INTO fee_corrections (store_id, order_uuid, position, document)
        VALUES (of_store, states_id[line.place], line.position, line.document);
    END LOOP;

    FOR content IN
        SELECT *
        FROM UNNEST(
            orders_id, orders_order_id, orders_prefix, orders_number, orders_label_url,
            orders_source, orders_test, orders_currency, orders_email, orders_shipping_address,
            orders_billing_address, orders_customer_first_name, orders_customer_last_name,
            orders_production_note, orders_fingerprint, orders_art, orders_bill,
            orders_priced_at, orders_size,
            joined_words, item_counts, order_places
        )
            AS content(
                id, order_id, prefix, number, label_url, source, test, currency, email,
                shipping_address, billing_address, customer_first_name, customer_last_name,
                production_note, fingerprint, art, bill, priced_at, size,
                words, item_count, place
            )
    LOOP
        CONTINUE WHEN content.place <> ALL(changed);
        -- The omitted columns identify the row and its number.
        UPDATE orders
        SET
            order_id = content.order_id,
            label_url = content.label_url,
            source = content.source,
            test = content.test,
            currency = content.currency,
            email = content.email,
            shipping_address = content.shipping_address,
            billing_address = content.billing_address,
            customer_first_name = content.customer_first_name,
            customer_last_name = content.customer_last_name,
            production_note = content.production_note,
            fingerprint = content.fingerprint,
            art = content.art,
            bill = content.bill,
            priced_at = content.priced_at,
            size = content.size
        WHERE store_id = of_store AND id = content.id;

        -- The words with the number's words, each after the prefix of its store and chunk. The
        -- chunk never changes, so that it is read without a lock.
        SELECT
            array_to_tsvector(string_to_array(substr(replace(
                chr(1) || content.words || chr(1) || lower(content.prefix) || '-'
                    || content.number || chr(1) || content.number,
                chr(1),
                chr(1) || left(encode(sha256((of_store || chunk)::bytea), 'base64'), 4)
            ), 2), chr(1)))
        INTO lexemes
        FROM order_words
        WHERE store_id = of_store AND id = content.id;
        -- Skips unchanged words, because each word is an entry of the index.
        UPDATE order_words
        SET words = lexemes
        WHERE store_id = of_store AND id = content.id AND words <> lexemes;
        -- The word lists of the background thread contain the old words: records the order as
        -- changed.
        IF FOUND THEN
            INSERT INTO changed_words (store_id, id, replaced)
            VALUES (of_store, content.id, expected[content.place]);
        END IF;

        -- The new content may have fewer items.
        DELETE FROM line_items
        WHERE store_id = of_store
          AND order_uuid = content.id
          AND position >= content.item_count;
    END LOOP;

    FOR item IN
        SELECT *
        FROM UNNEST(
            items_position, items_id, items_ref_id, items_name, items_name_given, items_sku,
            items_quantity, items_ship_class, items_unit_cost, item_places
        )
            AS item(
                position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost,
                place
            )
    LOOP
        CONTINUE WHEN item.place <> ALL(changed);
        INSERT INTO line_items AS stored (
            store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity,
            ship_class, unit_cost
        )
        VALUES (
            of_store, states_id[item.place], item.position, item.id, item.ref_id, item.name,
            item.name_given, item.sku, item.quantity, item.ship_class, item.unit_cost
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
        -- Unchanged items are not written again.
        WHERE (
            stored.id, stored.ref_id, stored.name, stored.name_given, stored.sku,
            stored.quantity, stored.ship_class, stored.unit_cost
        ) IS DISTINCT FROM (
            excluded.id, excluded.ref_id, excluded.name, excluded.name_given, excluded.sku,
            excluded.quantity, excluded.ship_class, excluded.unit_cost
        );
    END LOOP;

    RETURN NEXT;
END
$function$
