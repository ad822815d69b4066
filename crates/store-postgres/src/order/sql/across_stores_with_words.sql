-- The first orders of a cross-store query, with their sizes, and whether they match a key.
SELECT store_id, id, size, is_hit
FROM first_orders
CROSS JOIN LATERAL (
    SELECT words @@ replace((SELECT :tsquery), chr(1), {word_prefix})::tsquery AS is_hit
    FROM order_words
    WHERE order_words.store_id = {first_orders.store}
      AND order_words.id = first_orders.id
    -- Keeps the planner from joining in any other way than order by order.
    OFFSET 0
) AS words
CROSS JOIN LATERAL (
    SELECT size
    FROM orders
    WHERE orders.store_id = {first_orders.store}
      AND orders.id = first_orders.id
    OFFSET 0
) AS sizes
ORDER BY id {direction}
