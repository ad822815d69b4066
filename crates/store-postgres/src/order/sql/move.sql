-- Changes the orders that have the expected version. Returns the version of the catalog, the
-- positions of the changes with orders that could be locked, and positions and event sequences of
-- the changes that were carried out. Only for changes without new content; the others have
-- change.sql. {skip_locked} is SKIP LOCKED, or nothing in a statement that waits for locked orders.
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
)
SELECT
    catalog,
    ARRAY(SELECT place FROM seen) AS seen,
    ARRAY(SELECT place FROM sequenced ORDER BY place) AS changed,
    ARRAY(SELECT sequence FROM sequenced ORDER BY place) AS sequences
FROM catalog
