-- Number of orders by hour in the given stores. Reads a range of each store's key from the index
-- alone.
SELECT CASE {hours} END, count(*)
FROM {given}
JOIN orders
    ON orders.store_id = {store}
    AND orders.id >= :hour_a
    AND orders.id < :hour_y
GROUP BY 1
