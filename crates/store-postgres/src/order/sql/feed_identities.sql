-- Events of a store after the sequence :after and up to :until, ascending, each with the identity
-- of its order. Events beyond :bytes bytes are returned as NULLs with their sequence. A store
-- without matching events has one row of NULLs with its last sequence.
SELECT
    event_counters.last_sequence,
    page.sequence,
    order_events.store_id, order_events.sequence, order_events.order_uuid, order_events.version,
    order_events.happened_at, order_events.endpoint_id, order_events.previous_sequence,
    order_events.previous_at, order_events.kind, order_events.actor, order_events.actor_id,
    order_events.reason, order_events.request_id, order_events.moves, order_events.changes,
    order_events.shipment,
    orders.id,
    orders.order_id,
    orders.source,
    orders.prefix,
    orders.number,
    orders.currency,
    orders.test
FROM event_counters
LEFT JOIN (
    -- Sums the sizes before an event is read whole, because libpq keeps all returned rows in
    -- memory.
    SELECT
        sequence,
        row_number() OVER ascending AS place,
        sum(bytes) OVER ascending AS size_so_far
    FROM (
        SELECT
            sequence,
            order_uuid,
            octet_length(moves)
                + coalesce(octet_length(changes), 0)
                + coalesce(octet_length(shipment), 0) AS bytes
        FROM order_events
        WHERE order_events.store_id = :store_id
          AND sequence > :after
          AND sequence <= :until
          AND (CAST(:types AS TEXT[]) IS NULL OR kind = ANY(:types))
          AND (CAST(:order_id AS TEXT) IS NULL OR order_uuid = :order_id)
        ORDER BY sequence
        LIMIT :limit
    ) AS matching
    WINDOW ascending AS (ORDER BY sequence ROWS UNBOUNDED PRECEDING)
) AS page ON true
-- The whole event, if it fits; the order's identity only with it.
LEFT JOIN LATERAL (
    SELECT *
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND order_events.sequence = page.sequence
      -- The first event is returned whatever its size.
      AND (size_so_far <= :bytes OR place = 1)
    -- Keeps the planner from joining in any other way than event by event: it does not know that a page
    -- has few events.
    OFFSET 0
) AS order_events ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = order_events.order_uuid
    OFFSET 0
) AS orders ON true
WHERE event_counters.store_id = :store_id
ORDER BY page.sequence
