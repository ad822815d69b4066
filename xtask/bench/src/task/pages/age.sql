-- Lets the orders of a filled database have come as far as in a shop that has worked for a while: of a million, the newest
-- 10,000 stay in their windows, the next 6,000 are ready, the next 2,000 in production, of both every 40th on hold; all
-- others are delivered.
-- They have no shipments: no page that is measured shows those of many orders.
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
    -- A manual order, and the status of its items.
    status_mask = 2048 + CASE stage
        WHEN 'ready' THEN 4
        WHEN 'in-production' THEN 8
        WHEN 'delivered' THEN 32
        WHEN 'on-hold' THEN 512
    END,
    -- The end of the window, and when the items were ready: so long ago that all open orders are late.
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
