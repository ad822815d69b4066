-- Events of an order, newest first, starting with the sequence :latest. Each event names the
-- sequence of the previous event, so that the primary key is the only index needed.
WITH RECURSIVE chain AS (
    SELECT
        order_events.store_id, order_events.sequence, order_events.order_uuid, order_events.version,
        order_events.happened_at, order_events.endpoint_id, order_events.previous_sequence,
        order_events.previous_at, order_events.kind, order_events.actor, order_events.actor_id,
        order_events.reason, order_events.request_id, order_events.moves, order_events.changes,
        order_events.shipment,
        1 AS place
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND sequence = :latest
      AND order_uuid = :id
    UNION ALL
    SELECT previous.*, chain.place + 1
    FROM chain
    CROSS JOIN LATERAL (
        SELECT
            store_id, sequence, order_uuid, version, happened_at, endpoint_id, previous_sequence,
            previous_at, kind, actor, actor_id, reason, request_id, moves, changes, shipment
        FROM order_events
        WHERE order_events.store_id = :store_id
          AND sequence = chain.previous_sequence
        -- Looked up one by one, whatever statistics the planner has.
        OFFSET 0
    ) AS previous
    WHERE chain.place < :count
)
SELECT
    store_id, sequence, order_uuid, version, happened_at, endpoint_id, previous_sequence,
    previous_at, kind, actor, actor_id, reason, request_id, moves, changes, shipment
FROM chain
ORDER BY place
