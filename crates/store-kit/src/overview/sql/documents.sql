-- Shipments and operators' fee lines, a JSON array each. Orders without shipments or fee lines need
-- no look-up.
CASE WHEN states.shipments > 0 THEN (
    SELECT '[' || string_agg(document, ',') || ']'
    FROM (
        SELECT document
        FROM shipments
        WHERE shipments.store_id = {store}
          AND shipments.order_uuid = states.id
        ORDER BY position
    ) AS ordered
) END AS shipments,
CASE WHEN states.corrections > 0 THEN (
    SELECT '[' || string_agg(document, ',') || ']'
    FROM (
        SELECT document
        FROM fee_corrections AS lines
        WHERE lines.store_id = {store}
          AND lines.order_uuid = states.id
        ORDER BY position
    ) AS ordered
) END AS corrections
