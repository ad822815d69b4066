-- Puts the service's next orders into memory. Words are read from the index, because no table
-- contains them.
CREATE TEMP TABLE next_orders AS
SELECT * FROM service.orders
WHERE row_id > (SELECT max(row_id) FROM main.orders)
ORDER BY row_id
LIMIT {count};
CREATE INDEX temp.next_orders_row ON next_orders (row_id);
CREATE VIRTUAL TABLE temp.words USING fts5vocab(service, order_words, instance);
CREATE TEMP TABLE next_words AS
SELECT doc AS row_id, group_concat(term, ' ') AS words
FROM temp.words
WHERE doc IN (SELECT row_id FROM next_orders)
GROUP BY doc;
CREATE INDEX temp.next_words_row ON next_words (row_id);
CREATE TEMP TABLE next_items AS
SELECT row_id, line_items.*
FROM next_orders
JOIN service.line_items ON line_items.store_id = next_orders.store_id AND order_uuid = next_orders.id;
CREATE INDEX temp.next_items_row ON next_items (row_id);
CREATE TEMP TABLE next_states AS
SELECT row_id, order_states.* FROM next_orders JOIN service.order_states USING (store_id, id);
CREATE INDEX temp.next_states_row ON next_states (row_id);
CREATE TEMP TABLE next_events AS
SELECT row_id, order_events.*
FROM next_orders
JOIN service.order_events
    ON order_events.store_id = next_orders.store_id AND sequence = number;
CREATE INDEX temp.next_events_row ON next_events (row_id);
