-- The number of items in each status.
WITH
asked AS MATERIALIZED (
    {asked}
),
-- Orders whose items are all in the same state, by their status. Their items are one list that begins with the
-- first and the last number, and none was removed: it is much less work to compare that than to read the list.
alike AS MATERIALIZED (
    SELECT of_store.*
    FROM asked
    CROSS JOIN LATERAL (
        SELECT
            status_mask & :every_status AS statuses,
            sum(item_count) AS item_count,
            min(items COLLATE "C") AS some_items
        FROM order_states
        WHERE order_states.store_id = {asked.store}
          AND starts_with(items, '[[[1,' || item_count || '],')
          AND strpos(items, '],[[') = 0
        GROUP BY statuses
        OFFSET 0
    ) AS of_store
),
counts AS (
    SELECT some_items::JSON -> 0 ->> 1 AS status, item_count
    FROM alike
    UNION ALL
    SELECT same ->> 1, (same -> 0 ->> 1)::BIGINT - (same -> 0 ->> 0)::BIGINT + 1
    FROM asked
    CROSS JOIN LATERAL (
        SELECT items
        FROM order_states
        WHERE order_states.store_id = {asked.store}
          AND NOT (starts_with(items, '[[[1,' || item_count || '],') AND strpos(items, '],[[') = 0)
        OFFSET 0
    ) AS other
    -- Items in the same state: the first and the last number, the status, and what else there is.
    CROSS JOIN LATERAL json_array_elements(other.items::JSON) AS same
)
SELECT status, sum(item_count)::BIGINT
FROM counts
GROUP BY status
