-- Number of orders by hour in the given stores. Reads a range of each store's key from the index
-- alone.
SELECT
    -- Latest hour first: the cases are compared in this order, and recent rows need fewer comparisons.
    CASE
        WHEN orders.id >= :hour_x THEN 23
        WHEN orders.id >= :hour_w THEN 22
        WHEN orders.id >= :hour_v THEN 21
        WHEN orders.id >= :hour_u THEN 20
        WHEN orders.id >= :hour_t THEN 19
        WHEN orders.id >= :hour_s THEN 18
        WHEN orders.id >= :hour_r THEN 17
        WHEN orders.id >= :hour_q THEN 16
        WHEN orders.id >= :hour_p THEN 15
        WHEN orders.id >= :hour_o THEN 14
        WHEN orders.id >= :hour_n THEN 13
        WHEN orders.id >= :hour_m THEN 12
        WHEN orders.id >= :hour_l THEN 11
        WHEN orders.id >= :hour_k THEN 10
        WHEN orders.id >= :hour_j THEN 9
        WHEN orders.id >= :hour_i THEN 8
        WHEN orders.id >= :hour_h THEN 7
        WHEN orders.id >= :hour_g THEN 6
        WHEN orders.id >= :hour_f THEN 5
        WHEN orders.id >= :hour_e THEN 4
        WHEN orders.id >= :hour_d THEN 3
        WHEN orders.id >= :hour_c THEN 2
        WHEN orders.id >= :hour_b THEN 1
        WHEN orders.id >= :hour_a THEN 0
    END,
    count(*)
FROM json_to_recordset(:rows::json) AS given(store_id text)
JOIN orders
    ON orders.store_id = given.store_id
    AND orders.id >= :hour_a
    AND orders.id < :hour_y
GROUP BY 1
