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
    FROM UNNEST(:orders, :latest, :untils)
        WITH ORDINALITY AS given(order_uuid, latest, until, place)
    CROSS JOIN LATERAL (
        SELECT sequence, previous_sequence, {bytes} AS bytes
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
        SELECT sequence, previous_sequence, {bytes} AS bytes
        FROM order_events
        WHERE order_events.store_id = :store_id
          AND sequence = chain.previous_sequence
        OFFSET 0
    ) AS previous
    WHERE chain.step < :count
      AND chain.previous_sequence > chain.until
)
SELECT order_events.*
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
