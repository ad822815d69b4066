-- Events of a store after the sequence :after and up to :until, ascending, each with the identity
-- of its order. Events beyond :bytes bytes are returned as NULLs with their sequence. A store
-- without matching events has one row of NULLs with its last sequence.
SELECT
    event_counters.last_sequence,
    page.sequence,
    order_events.*,
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
    FROM ({page}) AS matching
    WINDOW ascending AS (ORDER BY sequence ROWS UNBOUNDED PRECEDING)
) AS page ON true
-- The whole event, if it fits; the order's identity only with it.
LEFT JOIN LATERAL ({event}) AS order_events ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = order_events.order_uuid
    OFFSET 0
) AS orders ON true
WHERE event_counters.store_id = :store_id
ORDER BY page.sequence
