-- The store of all rows that are inserted, from a table on its node. Citus sends an INSERT to that node
-- alone if the store comes from there; otherwise the coordinator copies the rows, by a two-phase commit.
CROSS JOIN (
    SELECT store_counters.store_id AS store
    FROM store_counters
    WHERE store_counters.store_id = :store_id
) AS node
