INSERT INTO word_lists (store_id, segment, first_word, lists)
SELECT node.store, :segment, block.first_word, block.lists
FROM UNNEST(:first_words::BYTEA[], :lists::BYTEA[]) AS block(first_word, lists)
-- The store of the inserted rows, read from a table on its node: Citus sends the INSERT to this node
-- alone. Otherwise the coordinator copies the rows, with a two-phase commit.
CROSS JOIN (
    SELECT store_counters.store_id AS store
    FROM store_counters
    WHERE store_counters.store_id = :store_id
) AS node
