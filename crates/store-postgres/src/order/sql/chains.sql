-- Events of several orders, chain by chain: up to :count events each, newest first, from the
-- sequence "latest" back to the event after "until". All chains together have up to :bytes bytes,
-- but at least one event.
WITH RECURSIVE chain AS (
    SELECT
        -- The first step of each chain checks that the event belongs to the order.
        given.place,
        given.until,
        1 AS step,
        event.sequence,
        event.previous_sequence,
        event.bytes
    FROM UNNEST(:orders::TEXT[], :latest::BIGINT[], :untils::BIGINT[])
        WITH ORDINALITY AS given(order_uuid, latest, until, place)
    CROSS JOIN LATERAL (
        SELECT
            sequence,
            previous_sequence,
            octet_length(moves)
                + coalesce(octet_length(changes), 0)
                + coalesce(octet_length(shipment), 0) AS bytes
        FROM order_events
        WHERE order_events.store_id = :store_id
          AND sequence = given.latest
          AND order_events.order_uuid = given.order_uuid
        -- Looked up one by one, whatever statistics the planner has.
        OFFSET 0
    ) AS event
    UNION ALL
    SELECT
        chain.place,
        chain.until,
        chain.step + 1,
        previous.sequence,
        previous.previous_sequence,
        previous.bytes
    -- Further steps follow the link to the previous event of the same order.
    FROM chain
    CROSS JOIN LATERAL (
        SELECT
            sequence,
            previous_sequence,
            octet_length(moves)
                + coalesce(octet_length(changes), 0)
                + coalesce(octet_length(shipment), 0) AS bytes
        FROM order_events
        WHERE order_events.store_id = :store_id
          AND sequence = chain.previous_sequence
        OFFSET 0
    ) AS previous
    WHERE chain.step < :count
      AND chain.previous_sequence > chain.until
)
SELECT
    order_events.store_id, order_events.sequence, order_events.order_uuid, order_events.version,
    order_events.happened_at, order_events.endpoint_id, order_events.previous_sequence,
    order_events.previous_at, order_events.kind, order_events.actor, order_events.actor_id,
    order_events.reason, order_events.request_id, order_events.moves, order_events.changes,
    order_events.shipment
FROM (
    -- Sums the sizes before an event is read whole, because libpq keeps all returned rows in
    -- memory.
    SELECT
        place,
        step,
        sequence,
        row_number() OVER in_order AS number,
        sum(bytes) OVER in_order AS size_so_far
    FROM chain
    WINDOW in_order AS (ORDER BY place, step ROWS UNBOUNDED PRECEDING)
) AS wanted
CROSS JOIN LATERAL (
    SELECT *
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND order_events.sequence = wanted.sequence
    OFFSET 0
) AS order_events
WHERE size_so_far <= :bytes
   OR number = 1
ORDER BY place, step
