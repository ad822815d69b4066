-- Moves the orders of a filled database to the statuses of a shop that has worked for a while. Of a
-- million orders, the newest 10,000 stay in their cooling-off period, the next 6,000 are ready, and
-- the next 2,000 are in production. Every 40th ready order and every 40th in production is on hold.
-- All other orders are delivered. They have no shipments, because no measured page shows shipments
-- of many orders.
CREATE TEMP TABLE stages AS
SELECT
    store_id,
    id,
    CASE
        WHEN age < 0.010 THEN 'cooling-off'
        WHEN age >= 0.018 THEN 'delivered'
        WHEN place % 40 = 0 THEN 'on-hold'
        WHEN age < 0.016 THEN 'ready'
        ELSE 'in-production'
    END AS stage
FROM (
    SELECT store_id, id, percent_rank() OVER newest_first AS age, row_number() OVER newest_first AS place
    FROM order_states
    WINDOW newest_first AS (ORDER BY id DESC)
) AS aged;

ANALYZE stages;

UPDATE order_states
SET due_at = NULL,
    -- Bits of a manual order, and of the status of its items.
    status_bitmask = 2048 + CASE stage
        WHEN 'ready' THEN 4
        WHEN 'in-production' THEN 8
        WHEN 'delivered' THEN 32
        WHEN 'on-hold' THEN 512
    END,
    -- End of the cooling-off period, and time at which the items became ready: so long ago that all
    -- open orders are overdue.
    items = format(
        '[[[1,%s],"%s",%s,%s%s]]',
        item_count,
        stage,
        updated_at - 2592000000,
        updated_at - 2592000000,
        CASE stage WHEN 'on-hold' THEN ',"ready","operator"' ELSE '' END
    )
FROM stages
WHERE stages.store_id = order_states.store_id
  AND stages.id = order_states.id
  AND stage <> 'cooling-off';

VACUUM ANALYZE order_states;
