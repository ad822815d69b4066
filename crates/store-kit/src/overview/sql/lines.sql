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
    CASE WHEN given.label_url IS NULL THEN 0 ELSE 1 END,
    CASE WHEN given.pending IS NULL THEN 0 ELSE 1 END,
    CASE WHEN items.position = 0 THEN given.bill END,
    CASE WHEN items.position = 0 THEN given.items END,
    CASE WHEN items.position = 0 THEN given.needs END,
    CASE WHEN items.position = 0 THEN given.shipments END,
    CASE WHEN items.position = 0 THEN given.corrections END,
    items.id,
    items.sku,
    items.name,
    items.quantity,
    items.unit_cost,
    progress.done,
    progress.misprints,
    {batch}
FROM read_orders AS given
JOIN line_items AS items
    ON items.store_id = {store}
    AND items.order_uuid = given.id
LEFT JOIN item_progress AS progress
    ON progress.store_id = {store}
    AND progress.order_uuid = given.id
    AND progress.item_id = items.id
{batches}
ORDER BY given.id, given.store_id, items.position
