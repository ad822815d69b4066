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
    INSERT INTO orders ({orders without prefix, number}, prefix, number)
    SELECT {given.orders without prefix, number}, locked.prefix, locked.number
    FROM (SELECT :order) AS given({orders}), locked, catalog_version
    -- Without :priced_with, the order is accepted with any version of the catalog.
    WHERE COALESCE(catalog_version.version = :priced_with, TRUE)
    -- The unique key decides whether the order is new.
    ON CONFLICT (store_id, order_id) DO NOTHING
    RETURNING store_id, id, prefix, number
),
words AS (
    INSERT INTO order_words (store_id, id, chunk, words)
    SELECT store_id, id, chunk, {lexemes}
    FROM (
        SELECT added.*, {chunk_of_id} AS chunk, given.words
        FROM added, locked, (SELECT :words) AS given(words)
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
    INSERT INTO line_items ({line_items})
    SELECT added.store_id, added.id, {item.line_items without store_id, order_uuid}
    FROM added, UNNEST(:items) AS item({line_items without store_id, order_uuid})
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
    SELECT sequenced.*, {given.{first_state}}, {given.{first_event}}
    FROM sequenced, (SELECT :first) AS given({{first_state}}, {{first_event}})
),
states AS (
    INSERT INTO order_states (store_id, id, version, last_sequence, {{first_state}})
    SELECT store_id, id, 1, sequence, {{first_state}}
    FROM placed
),
events AS (
    INSERT INTO order_events (
        store_id, sequence, order_uuid, version, happened_at, kind, {{first_event}}
    )
    SELECT store_id, sequence, id, 1, updated_at, 'order.created', {{first_event}}
    FROM placed
)
-- Subqueries rather than joins: the row is returned even if nothing was stored.
SELECT
    (SELECT prefix FROM locked),
    (SELECT number FROM added),
    (SELECT sequence FROM sequenced),
    version
FROM catalog_version
