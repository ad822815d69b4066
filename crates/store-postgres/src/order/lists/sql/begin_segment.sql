-- Begins a segment after the latest segment of a store, if enough orders belong to closed chunks: a
-- transaction that adds an order below the latest chunk records it as late, in changed_words.
INSERT INTO word_segments (store_id, segment, from_id, before_id)
SELECT node.store, latest.segment + 1, latest.before_id, next.id
FROM (
    SELECT segment, before_id
    FROM (
        SELECT segment, before_id
        FROM word_segments
        WHERE word_segments.store_id = :store_id
        UNION ALL
        -- The smallest id, at which a window without a lower bound begins. An even lower bound
        -- would not be within such a window, and each search would read the ids of the first
        -- segment.
        SELECT 0, '00000000-0000-0000-0000-000000000000'
    ) AS segments
    ORDER BY segment DESC
    LIMIT 1
) AS latest
CROSS JOIN LATERAL (
    -- The first order after the segment. No row, and so no segment, while there are too few orders.
    SELECT id
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND id >= latest.before_id
      AND id < (SELECT chunk_from FROM store_counters WHERE store_counters.store_id = :store_id)
    ORDER BY id
    OFFSET :orders
    LIMIT 1
) AS next
-- The store of the inserted rows, read from a table on its node: Citus sends the INSERT to this node
-- alone. Otherwise the coordinator copies the rows, with a two-phase commit.
CROSS JOIN (
    SELECT store_counters.store_id AS store
    FROM store_counters
    WHERE store_counters.store_id = :store_id
) AS node
-- Another server may begin the same segment.
ON CONFLICT (store_id, segment) DO NOTHING
