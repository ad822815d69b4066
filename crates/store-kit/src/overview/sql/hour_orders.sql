-- The orders of the given stores by hour: one range of each store's key, of which the index has all that is read.
SELECT CASE {hours} END, count(*)
FROM {given}
JOIN orders
    ON orders.store_id = {store}
    AND orders.id >= :hour_a
    AND orders.id < :hour_y
GROUP BY 1
