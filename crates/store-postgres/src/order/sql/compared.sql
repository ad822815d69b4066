-- Whether orders, given by their positions in segments, match a key.
SELECT segment, position, is_hit
FROM ({positions}) AS positions
CROSS JOIN LATERAL (
    -- The subquery hides :tsquery from the planner, so that one plan serves all keys.
    SELECT words @@ replace((SELECT :tsquery), chr(1), {word_prefix})::tsquery AS is_hit
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND order_words.id = positions.id
    OFFSET 0
) AS of_order
