-- Changes the orders that have the expected version. Returns the version of the catalog, the
-- positions of the changes with orders that could be locked, and positions and event sequences of
-- the changes that were carried out. As in create.sql, the parts that name stores differ. {content}
-- is empty if no content changes.
WITH
catalog AS MATERIALIZED (
    SELECT version AS catalog FROM catalog_version
),
-- Changes priced with the current catalog, or without any catalog.
given AS MATERIALIZED (
    SELECT *
    FROM UNNEST(:states, :events, :expected, :priced_with)
        WITH ORDINALITY
        AS given({order_states}, {order_events without store_id, sequence, order_uuid, version, happened_at, endpoint_id}, expected, priced_with, place)
    WHERE priced_with IS NULL
       OR priced_with = (SELECT catalog FROM catalog)
),
{seen},
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
    WHERE store_id {is_changed}
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
        {order_states = sequenced without store_id, id, last_sequence},
        last_sequence = sequenced.sequence
    FROM sequenced
    WHERE order_states.store_id = {sequenced.store}
      AND order_states.id = sequenced.id
),
events AS (
    INSERT INTO order_events ({order_events without endpoint_id})
    SELECT
        {sequenced.on_node},
        sequenced.sequence,
        sequenced.id,
        sequenced.version,
        sequenced.updated_at,
        {sequenced.order_events without store_id, sequence, order_uuid, version, happened_at, endpoint_id}
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
),
written_shipments AS (
    INSERT INTO shipments ({shipments})
    SELECT {sequenced.on_node}, sequenced.id, {shipment.shipments without store_id, order_uuid}
    FROM UNNEST(:shipments, :shipment_places)
        AS shipment({shipments without store_id, order_uuid}, place)
    JOIN sequenced USING (place) {node}
    -- A changed shipment, such as with a new tracking number, replaces the stored shipment.
    ON CONFLICT (store_id, order_uuid, position) DO UPDATE
    SET tracking_number = excluded.tracking_number, document = excluded.document
),
added_corrections AS (
    INSERT INTO fee_corrections ({fee_corrections})
    SELECT {sequenced.on_node}, sequenced.id, {line.fee_corrections without store_id, order_uuid}
    FROM UNNEST(:corrections, :correction_places)
        AS line({fee_corrections without store_id, order_uuid}, place)
    JOIN sequenced USING (place) {node}
)
{content}
SELECT
    catalog,
    ARRAY(SELECT place FROM seen),
    ARRAY(SELECT place FROM sequenced ORDER BY place),
    ARRAY(SELECT sequence FROM sequenced ORDER BY place)
FROM catalog
