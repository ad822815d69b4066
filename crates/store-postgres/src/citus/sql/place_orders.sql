-- Adds new orders of one store with their words, items, states and first events, as create.sql
-- does. Returns for each order its position, the store's prefix, its number and event sequence if
-- it was stored, and the version of the catalog.
--
-- Runs on the node of the store. Each statement about orders names one table and the store, so that
-- Citus runs it there without a plan for other nodes.
--
-- The arrays have an element for each order. Only `items_…` and `item_places` have an element for
-- each item: the item's columns, and the position of the order.
CREATE OR REPLACE FUNCTION place_orders(
    of_store text,
    orders_store_id text[], orders_id text[], orders_order_id text[], orders_prefix text[],
    orders_number bigint[], orders_label_url text[], orders_source text[], orders_test boolean[],
    orders_currency text[], orders_email text[], orders_shipping_address text[],
    orders_billing_address text[], orders_customer_first_name text[],
    orders_customer_last_name text[], orders_production_note text[], orders_fingerprint bytea[],
    orders_art text[], orders_bill text[], orders_priced_at bigint[], orders_size integer[],
    states_updated_at bigint[], states_due_at bigint[], states_cooling_off_seconds integer[],
    states_item_count integer[], states_items text[], states_status_bitmask smallint[],
    states_replaces text[],
    events_actor text[], events_actor_id text[], events_reason text[], events_request_id text[],
    events_moves text[],
    places_in_store bigint[], joined_words text[], priced_with bigint[],
    items_position integer[], items_id text[], items_ref_id text[], items_name text[],
    items_name_given boolean[], items_sku text[], items_quantity integer[],
    items_ship_class text[], items_unit_cost bigint[], item_places bigint[]
)
RETURNS TABLE (place bigint, prefix text, number bigint, sequence bigint, catalog bigint)
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $function$
DECLARE
    counter record;
    store_prefix text;
    given record;
    item record;
    of_chunk integer;
    -- Ids of the stored orders by position; NULL for other orders.
    stored_ids text[] := '{}';
    highest_number bigint;
    highest_id text COLLATE "C";
BEGIN
    -- Both tables are on every node. One statement, because Citus keeps no plan for such tables. The
    -- prefix never changes.
    SELECT
        version,
        (SELECT stores.prefix FROM stores WHERE stores.store_id = of_store)
    INTO catalog, store_prefix
    FROM catalog_version;
    -- Locks the store's counter: the store's orders are created one after the other.
    SELECT last_number, chunk, chunk_from, chunks_from
    INTO counter
    FROM store_counters
    WHERE store_id = of_store
    FOR UPDATE;

    FOR given IN
        SELECT *
        FROM UNNEST(
            orders_id, orders_order_id, orders_label_url, orders_source, orders_test,
            orders_currency, orders_email, orders_shipping_address, orders_billing_address,
            orders_customer_first_name, orders_customer_last_name, orders_production_note,
            orders_fingerprint, orders_art, orders_bill, orders_priced_at, orders_size,
            states_updated_at, states_due_at, states_cooling_off_seconds, states_item_count,
            states_items, states_status_bitmask, states_replaces,
            events_actor, events_actor_id, events_reason, events_request_id, events_moves,
            places_in_store, joined_words, priced_with
        )
            WITH ORDINALITY
            AS given(
                id, order_id, label_url, source, test, currency, email, shipping_address,
                billing_address, customer_first_name, customer_last_name, production_note,
                fingerprint, art, bill, priced_at, size,
                updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask,
                replaces,
                actor, actor_id, reason, request_id, moves,
                place_in_store, words, priced_with, place
            )
    LOOP
        place := given.place;
        prefix := store_prefix;
        number := NULL;
        sequence := NULL;
        -- Not stored: an order of an unknown store, or priced with another catalog.
        IF counter.last_number IS NULL OR given.priced_with <> catalog THEN
            RETURN NEXT;
            CONTINUE;
        END IF;

        number := counter.last_number + given.place_in_store;
        INSERT INTO orders (
            store_id, id, order_id, prefix, number, label_url, source, test, currency, email,
            shipping_address, billing_address, customer_first_name, customer_last_name,
            production_note, fingerprint, art, bill, priced_at, size
        )
        VALUES (
            of_store, given.id, given.order_id, store_prefix, number, given.label_url,
            given.source, given.test, given.currency, given.email, given.shipping_address,
            given.billing_address, given.customer_first_name, given.customer_last_name,
            given.production_note, given.fingerprint, given.art, given.bill, given.priced_at,
            given.size
        )
        -- The unique key decides whether an order is new.
        ON CONFLICT (store_id, order_id) DO NOTHING;
        IF NOT FOUND THEN
            number := NULL;
            RETURN NEXT;
            CONTINUE;
        END IF;
        stored_ids[place] := given.id;
        highest_number := greatest(highest_number, number);
        highest_id := greatest(highest_id, given.id);

        of_chunk := counter.chunk;
        -- The order of a server with a slow clock may belong to an earlier chunk, and word lists
        -- may have been built without it.
        IF given.id < counter.chunk_from THEN
            of_chunk := width_bucket(given.id, counter.chunks_from);
            INSERT INTO changed_words (store_id, id, replaced) VALUES (of_store, given.id, 0);
        END IF;
        INSERT INTO order_words (store_id, id, chunk, words)
        VALUES (
            of_store,
            given.id,
            of_chunk,
            -- The words with the number's words, each after the prefix of its store and chunk.
            array_to_tsvector(string_to_array(substr(replace(
                chr(1) || given.words || chr(1) || lower(store_prefix) || '-' || number
                    || chr(1) || number,
                chr(1),
                chr(1) || left(encode(sha256((of_store || of_chunk)::bytea), 'base64'), 4)
            ), 2), chr(1)))
        );

        -- Locks the store's event counter. Nothing after this step waits for another transaction.
        UPDATE event_counters
        SET last_sequence = last_sequence + 1
        WHERE store_id = of_store
        RETURNING last_sequence INTO sequence;
        INSERT INTO order_states (
            store_id, id, version, last_sequence,
            updated_at, due_at, cooling_off_seconds, item_count, items, status_bitmask, replaces
        )
        VALUES (
            of_store, given.id, 1, sequence,
            given.updated_at, given.due_at, given.cooling_off_seconds, given.item_count,
            given.items, given.status_bitmask, given.replaces
        );
        INSERT INTO order_events (
            store_id, sequence, order_uuid, version, happened_at, kind,
            actor, actor_id, reason, request_id, moves
        )
        VALUES (
            of_store, sequence, given.id, 1, given.updated_at, 'order.created',
            given.actor, given.actor_id, given.reason, given.request_id, given.moves
        );
        RETURN NEXT;
    END LOOP;

    IF highest_number IS NULL THEN
        RETURN;
    END IF;
    -- Duplicates after the last stored order use up no number.
    UPDATE store_counters
    SET last_number = highest_number, newest_id = greatest(newest_id, highest_id)
    WHERE store_id = of_store;

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
        CONTINUE WHEN stored_ids[item.place] IS NULL;
        INSERT INTO line_items (
            store_id, order_uuid, position, id, ref_id, name, name_given, sku, quantity,
            ship_class, unit_cost
        )
        VALUES (
            of_store, stored_ids[item.place], item.position, item.id, item.ref_id, item.name,
            item.name_given, item.sku, item.quantity, item.ship_class, item.unit_cost
        );
    END LOOP;
END
$function$
