-- Events of a store after the sequence :after and up to :until, ascending. The first event of each
-- order comes with the order. Events beyond :bytes bytes are returned as NULLs with their sequence.
-- A store without matching events has one row of NULLs with its last sequence. One statement, so
-- that all rows come from one snapshot.
SELECT
    event_counters.last_sequence,
    page.sequence,
    order_events.store_id, order_events.sequence, order_events.order_uuid, order_events.version,
    order_events.happened_at, order_events.endpoint_id, order_events.previous_sequence,
    order_events.previous_at, order_events.kind, order_events.actor, order_events.actor_id,
    order_events.reason, order_events.request_id, order_events.moves, order_events.changes,
    order_events.shipment,
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
FROM event_counters
LEFT JOIN (
    -- Sums the sizes before events and orders are read whole, because libpq keeps all returned rows
    -- in memory.
    SELECT
        sequence,
        order_uuid,
        is_first,
        row_number() OVER ascending AS place,
        sum(bytes + coalesce(size, 0)) OVER ascending AS size_so_far
    FROM (
        SELECT
            *,
            -- An order is returned, and its size counted, with the first of its events.
            row_number() OVER (PARTITION BY order_uuid ORDER BY sequence) = 1 AS is_first
        FROM (
            SELECT
                sequence,
                order_uuid,
                octet_length(moves)
                    + coalesce(octet_length(changes), 0)
                    + coalesce(octet_length(shipment), 0) AS bytes
            FROM order_events
            WHERE order_events.store_id = :store_id
              AND sequence > :after
              AND sequence <= :until
              AND (CAST(:types AS TEXT[]) IS NULL OR kind = ANY(:types))
              AND (CAST(:order_id AS TEXT) IS NULL OR order_uuid = :order_id)
            ORDER BY sequence
            LIMIT :limit
        ) AS matching
    ) AS matching
    LEFT JOIN LATERAL (
        SELECT size
        FROM orders
        WHERE orders.store_id = :store_id
          AND orders.id = order_uuid
          AND is_first
        -- Keeps the planner from joining in any other way than event by event: it does not know
        -- that a page has few events.
        OFFSET 0
    ) AS sizes ON true
    WINDOW ascending AS (ORDER BY sequence ROWS UNBOUNDED PRECEDING)
) AS page ON true
-- The whole event, if it fits.
LEFT JOIN LATERAL (
    SELECT *
    FROM order_events
    WHERE order_events.store_id = :store_id
      AND order_events.sequence = page.sequence
      -- The first event is returned whatever its size.
      AND (size_so_far <= :bytes OR place = 1)
    -- Keeps the planner from joining in any other way than event by event: it does not know that a page
    -- has few events.
    OFFSET 0
) AS order_events ON true
-- The whole order, with its first event, if both fit.
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = page.order_uuid
      AND is_first
      AND (size_so_far <= :bytes OR place = 1)
    OFFSET 0
) AS orders ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    OFFSET 0
) AS order_states ON true
WHERE event_counters.store_id = :store_id
ORDER BY page.sequence
