-- Counts the rows and bytes of orders and their dependent tables, and the bytes written to the log
-- so far.
SELECT
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal,
    sum(rows)::float8 AS rows,
    sum(bytes)::float8 AS bytes
FROM (
    SELECT count(*) AS rows, sum(pg_column_size(counted.*)) AS bytes FROM orders AS counted
    UNION ALL
    SELECT count(*), sum(pg_column_size(counted.*)) FROM order_words AS counted
    UNION ALL
    SELECT count(*), sum(pg_column_size(counted.*)) FROM line_items AS counted
    UNION ALL
    SELECT count(*), sum(pg_column_size(counted.*)) FROM order_states AS counted
    UNION ALL
    SELECT count(*), sum(pg_column_size(counted.*)) FROM order_events AS counted
) AS tables
