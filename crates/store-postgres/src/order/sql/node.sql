-- The store of all inserted rows, read from a table on its node. Citus sends an INSERT to this node
-- alone if the store comes from there; otherwise the coordinator copies the rows, with a two-phase
-- commit.
CROSS JOIN (
    SELECT store_counters.store_id AS store
    FROM store_counters
    WHERE store_counters.store_id = :store_id
) AS node
