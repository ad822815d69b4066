-- The number of items in each status. :masks are those of orders whose items all have one status and of which none
-- was removed, :statuses their statuses: the index has the numbers of these items.
SELECT counted.status, sum(counted.items)::BIGINT
FROM ({asked}) AS asked
CROSS JOIN LATERAL (
    SELECT status_mask, sum(item_count) AS items
    FROM order_states
    WHERE order_states.store_id = {asked.store}
    GROUP BY status_mask
    OFFSET 0
) AS by_mask
LEFT JOIN UNNEST(:masks, :statuses) AS uniform(mask, status) ON mask = status_mask
CROSS JOIN LATERAL (
    SELECT uniform.status, by_mask.items
    WHERE uniform.status IS NOT NULL
    UNION ALL
    SELECT same ->> 1, (same -> 0 ->> 1)::BIGINT - (same -> 0 ->> 0)::BIGINT + 1
    FROM (
        SELECT order_states.items
        FROM order_states
        WHERE order_states.store_id = {asked.store}
          AND order_states.status_mask = by_mask.status_mask
          AND uniform.status IS NULL
        OFFSET 0
    ) AS mixed
    -- Items in the same state: the first and the last number, the status, and what else there is.
    CROSS JOIN LATERAL json_array_elements(mixed.items::JSON) AS same
) AS counted
GROUP BY counted.status
