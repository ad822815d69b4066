-- A page of orders that match a filter of statuses and types, newest first: whole orders up to
-- :bytes bytes, the other orders as references.
--
-- The common table `of_status`: the ids of the newest orders that match a filter of statuses and
-- types, up to :wanted orders of each status bitmask.
WITH RECURSIVE
-- The bitmasks that occur in the store, a few dozen. Each takes one look-up in the index.
bitmasks AS (
    (
        SELECT status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
        ORDER BY status_bitmask
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT order_states.status_bitmask
        FROM order_states
        WHERE order_states.store_id = :store_id
          AND order_states.status_bitmask > bitmasks.status_bitmask
        ORDER BY order_states.status_bitmask
        LIMIT 1
    )
    FROM bitmasks
    -- The last step finds no larger bitmask.
    WHERE status_bitmask IS NOT NULL
),
of_status AS (
    SELECT id
    FROM (
        SELECT status_bitmask
        FROM bitmasks
        WHERE status_bitmask & :statuses <> 0
          AND status_bitmask & :kinds <> 0
    ) AS chosen
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_states
        WHERE order_states.store_id = :store_id
          -- Row comparison, so that the ids of one bitmask are read in index order. Otherwise the
          -- planner may take the primary key, even in a table without statistics, and read the
          -- orders of all bitmasks.
          AND (order_states.status_bitmask, id) >= (chosen.status_bitmask, :from_id)
          AND (order_states.status_bitmask, id) < (chosen.status_bitmask, :before_id)
        ORDER BY order_states.status_bitmask DESC, id DESC
        -- The subquery hides the value from the planner, so that one plan serves all pages.
        LIMIT (SELECT :wanted::BIGINT)
    ) AS of_bitmask
)
SELECT
    page.id,
    page.size,
    orders.store_id, orders.id, orders.order_id, orders.prefix, orders.number, orders.label_url,
    orders.source, orders.test, orders.currency, orders.email, orders.shipping_address,
    orders.billing_address, orders.customer_first_name, orders.customer_last_name,
    orders.production_note, orders.fingerprint, orders.art, orders.bill, orders.priced_at,
    orders.size,
    order_states.store_id, order_states.id, order_states.version, order_states.updated_at,
    order_states.last_sequence, order_states.due_at, order_states.cooling_off_seconds,
    order_states.item_count, order_states.items, order_states.status_bitmask, order_states.pending,
    order_states.needs, order_states.replaces, order_states.replaced_by, order_states.shipments,
    order_states.corrections,
    ARRAY(
        SELECT
            ROW(
                position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost
            )::item_row
        FROM line_items
        WHERE line_items.store_id = :store_id
          AND line_items.order_uuid = orders.id
        ORDER BY position
    ) AS items,
    -- The counters in the state save the look-ups for orders without shipments and fee lines.
    CASE WHEN order_states.shipments > 0 THEN ARRAY(
        SELECT document
        FROM shipments
        WHERE shipments.store_id = :store_id
          AND shipments.order_uuid = orders.id
        ORDER BY position
    ) ELSE ARRAY[]::TEXT[] END AS shipments,
    CASE WHEN order_states.corrections > 0 THEN ARRAY(
        SELECT document
        FROM fee_corrections
        WHERE fee_corrections.store_id = :store_id
          AND fee_corrections.order_uuid = orders.id
        ORDER BY position
    ) ELSE ARRAY[]::TEXT[] END AS corrections
FROM (
    -- The orders of the page and the order after it, with the values that decide which orders are
    -- read whole.
    SELECT
        id,
        size,
        row_number() OVER newest_first AS place,
        sum(size) OVER newest_first AS size_so_far
    FROM (
        -- Skipping the offset reads only the index.
        SELECT id
        FROM of_status
        ORDER BY id DESC
        OFFSET :offset
        LIMIT :limit
    ) AS page
    CROSS JOIN LATERAL (
        SELECT size
        FROM orders
        WHERE orders.store_id = :store_id
          AND orders.id = page.id
        -- Order by order, as below.
        OFFSET 0
    ) AS sizes
    WINDOW newest_first AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
) AS page
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = page.id
      -- Returns no more whole orders than needed, because libpq keeps all returned rows in memory.
      -- The first order is whole whatever its size; the order after the page never is.
      AND (size_so_far <= :bytes OR place = 1)
      AND place < :limit
    -- Keeps the planner from joining in any other way than order by order: it does not know that a
    -- page has few orders.
    OFFSET 0
) AS orders ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    OFFSET 0
) AS order_states ON true
-- The rows come in this order, so that the server does not sort.
ORDER BY page.id DESC
