-- The first orders in a range of order ids of a store, each with its items.
WITH read_orders AS MATERIALIZED (
    SELECT
        placed.store_id,
        placed.id,
        placed.order_id,
        placed.prefix,
        placed.number,
        placed.source,
        placed.currency,
        placed.label_url,
        placed.bill,
        states.items,
        states.pending,
        states.needs,
        -- Shipments and operators' fee lines, a JSON array each. Orders without shipments or fee lines need
        -- no look-up.
        CASE WHEN states.shipments > 0 THEN (
            SELECT '[' || string_agg(document, ',') || ']'
            FROM (
                SELECT document
                FROM shipments
                WHERE shipments.store_id = :store_id
                  AND shipments.order_uuid = states.id
                ORDER BY position
            ) AS ordered
        ) END AS shipments,
        CASE WHEN states.corrections > 0 THEN (
            SELECT '[' || string_agg(document, ',') || ']'
            FROM (
                SELECT document
                FROM fee_corrections AS lines
                WHERE lines.store_id = :store_id
                  AND lines.order_uuid = states.id
                ORDER BY position
            ) AS ordered
        ) END AS corrections
    FROM (
        SELECT store_id, id, order_id, prefix, number, source, currency, label_url, bill
        FROM orders
        WHERE store_id = :store_id
          AND id >= :from_id
          AND id < :before_id
        ORDER BY id
        LIMIT :count
    ) AS placed
    JOIN order_states AS states
        ON states.store_id = :store_id
        AND states.id = placed.id
)
-- Items of the orders, each with columns of its order. A single statement reads all parts of an
-- order: a change between two statements could return items that do not match the bill. Long values
-- of an order come only with its first item.
SELECT
    given.store_id,
    given.id,
    given.order_id,
    given.prefix,
    given.number,
    given.source,
    given.currency,
    CASE WHEN given.label_url IS NULL THEN 0 ELSE 1 END AS has_label,
    CASE WHEN given.pending IS NULL THEN 0 ELSE 1 END AS has_change,
    CASE WHEN items.position = 0 THEN given.bill END AS bill,
    CASE WHEN items.position = 0 THEN given.items END AS states,
    CASE WHEN items.position = 0 THEN given.needs END AS needs,
    CASE WHEN items.position = 0 THEN given.shipments END AS shipments,
    CASE WHEN items.position = 0 THEN given.corrections END AS corrections,
    items.id AS item_id,
    items.sku,
    items.name,
    items.quantity,
    items.unit_cost,
    progress.done,
    progress.misprints,
    CAST(NULL AS BIGINT) AS batch
FROM read_orders AS given
JOIN line_items AS items
    ON items.store_id = :store_id
    AND items.order_uuid = given.id
LEFT JOIN item_progress AS progress
    ON progress.store_id = :store_id
    AND progress.order_uuid = given.id
    AND progress.item_id = items.id
ORDER BY given.id, given.store_id, items.position
