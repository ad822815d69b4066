-- The first orders in a range of order ids of a store.
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
        {documents}
    FROM (
        SELECT store_id, id, order_id, prefix, number, source, currency, label_url, bill
        FROM orders
        WHERE store_id = {store}
          AND id >= :from_id
          AND id < :before_id
        ORDER BY id
        LIMIT :count
    ) AS placed
    JOIN order_states AS states
        ON states.store_id = {store}
        AND states.id = placed.id
)
