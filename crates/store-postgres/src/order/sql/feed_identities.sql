-- Events of a store after the sequence :after and up to :until, ascending, each with what identifies its
-- order. Those that do not fit into :bytes are returned without their columns. A store without such events
-- has one row of nulls with its last sequence.
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
    -- The sizes are added up before anything is read whole, as libpq keeps all that a statement returns.
    SELECT
        sequence,
        row_number() OVER ascending AS place,
        sum(bytes) OVER ascending AS size_so_far
    FROM ({page}) AS matching
    WINDOW ascending AS (ORDER BY sequence ROWS UNBOUNDED PRECEDING)
) AS page ON true
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
