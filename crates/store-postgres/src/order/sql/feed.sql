-- Events of a store after the sequence :after and up to :until, ascending. The first event of each
-- order comes with the order. Events beyond :bytes bytes are returned as NULLs with their sequence.
-- A store without matching events has one row of NULLs with its last sequence. One statement, so
-- that all rows come from one snapshot.
SELECT
    event_counters.last_sequence,
    page.sequence,
    order_events.*,
    orders.*,
    order_states.*,
    {items},
    {shipment_documents},
    {correction_documents}
FROM event_counters
LEFT JOIN (
    -- Sums the sizes before events and orders are read whole, because libpq keeps all returned rows
    -- in memory.
    SELECT
        sequence,
        order_uuid,
        is_first,
        row_number() OVER ascending AS place,
        sum(bytes + coalesce(size, 0)) OVER ascending AS size_so_far
    FROM (
        SELECT
            *,
            -- An order is returned, and its size counted, with the first of its events.
            row_number() OVER (PARTITION BY order_uuid ORDER BY sequence) = 1 AS is_first
        FROM ({page}) AS matching
    ) AS matching
    LEFT JOIN LATERAL (
        SELECT size
        FROM orders
        WHERE orders.store_id = :store_id
          AND orders.id = order_uuid
          AND is_first
        -- Keeps the planner from joining in any other way than event by event: it does not know
        -- that a page has few events.
        OFFSET 0
    ) AS sizes ON true
    WINDOW ascending AS (ORDER BY sequence ROWS UNBOUNDED PRECEDING)
) AS page ON true
-- The whole event, if it fits.
LEFT JOIN LATERAL ({event}) AS order_events ON true
-- The whole order, with its first event, if both fit.
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = page.order_uuid
      AND is_first
      AND (size_so_far <= :bytes OR place = 1)
    OFFSET 0
) AS orders ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    OFFSET 0
) AS order_states ON true
WHERE event_counters.store_id = :store_id
ORDER BY page.sequence
