-- Adds orders with their words, items, states and first events. Returns for each order its
-- position, its store's prefix, its number and event sequence if it was stored, and the version of
-- the catalog.
--
-- The parts that name stores differ between orders of any stores and orders of one store, see
-- `stores.rs`.
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
    WHERE store_id {is_given}
    ORDER BY store_id
    FOR UPDATE
),
-- The orders with their numbers and chunks.
given AS MATERIALIZED (
    SELECT
        {given.orders without prefix, number},
        locked.prefix,
        locked.last_number + given.place_in_store AS number,
        {chunk_of_id} AS chunk,
        id < chunk_from AS is_late,
        given.words,
        {given.{first_state}}, {given.{first_event}},
        given.priced_with,
        given.place
    FROM UNNEST(:orders, :first, :places_in_store, :words, :priced_with)
        WITH ORDINALITY
        AS given(
            {orders}, {{first_state}}, {{first_event}}, place_in_store, words, priced_with, place
        )
    -- Outer join: an order of an unknown store gets no number and is not stored.
    LEFT JOIN locked USING (store_id)
),
-- One row, which also shows the caller that the catalog has changed.
catalog AS MATERIALIZED (
    SELECT version AS catalog FROM catalog_version
),
added AS (
    INSERT INTO orders (store_id, {orders without store_id})
    SELECT {given.on_node}, {given.orders without store_id}
    FROM given, catalog {node}
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
        {{first_state}}, {{first_event}}
    FROM given
    JOIN added USING (store_id, id)
),
words AS (
    INSERT INTO order_words (store_id, id, chunk, words)
    SELECT {stored.on_node}, stored.id, stored.chunk, {lexemes}
    FROM stored {node}
),
-- Word lists may have been built without the new orders.
late AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT {stored.on_node}, stored.id, 0
    FROM stored {node}
    WHERE is_late
),
items AS (
    INSERT INTO line_items ({line_items})
    SELECT {stored.on_node}, stored.id, {item.line_items without store_id, order_uuid}
    FROM UNNEST(:items, :item_places)
        AS item({line_items without store_id, order_uuid}, place)
    JOIN stored USING (place) {node}
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
    WHERE store_counters.store_id = {taken.store}
),
-- Locks the event counters, sorted by store. Locked only after the new orders are known: nothing
-- after this step waits for another transaction. The condition, always true, enforces the order of
-- the steps.
event_counts AS MATERIALIZED (
    SELECT store_id, last_sequence
    FROM event_counters
    WHERE store_id {is_counted}
      AND (SELECT count(*) FROM stored) >= 0
    ORDER BY store_id
    FOR UPDATE
),
-- Only stored orders get a sequence, so that duplicates leave no gap.
sequenced AS MATERIALIZED (
    SELECT
        place,
        store_id,
        id,
        number,
        {{first_state}},
        {{first_event}},
        last_sequence + row_number() OVER (PARTITION BY store_id ORDER BY place) AS sequence
    FROM stored
    JOIN event_counts USING (store_id)
),
states AS (
    INSERT INTO order_states (store_id, id, version, last_sequence, {{first_state}})
    SELECT {sequenced.on_node}, sequenced.id, 1, sequenced.sequence, {sequenced.{first_state}}
    FROM sequenced {node}
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, kind, {{first_event}}
    )
    SELECT
        {sequenced.on_node},
        sequenced.sequence,
        sequenced.id,
        1,
        sequenced.updated_at,
        'order.created',
        {sequenced.{first_event}}
    FROM sequenced {node}
),
events_counted AS (
    UPDATE event_counters
    SET last_sequence = taken.sequence
    FROM (
        SELECT store_id, max(sequence) AS sequence
        FROM sequenced
        GROUP BY store_id
    ) AS taken
    WHERE event_counters.store_id = {taken.store}
)
-- Outer join: an order that was not stored has neither number nor sequence.
SELECT place, given.prefix, sequenced.number, sequenced.sequence, catalog
FROM catalog, given
LEFT JOIN sequenced USING (place)
