-- The orders named in the parameter :rows. Each order is looked up before its items.
WITH read_orders AS MATERIALIZED (
    SELECT
        given.store_id,
        given.id,
        orders.order_id,
        orders.prefix,
        orders.number,
        orders.source,
        orders.currency,
        orders.label_url,
        orders.bill,
        states.items,
        states.pending,
        states.needs,
        {documents}
    FROM {given}
    JOIN order_states AS states
        ON states.store_id = {store}
        AND states.id = given.id
    JOIN orders
        ON orders.store_id = {store}
        AND orders.id = given.id
)
