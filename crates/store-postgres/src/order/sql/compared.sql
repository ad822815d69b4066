-- Which of the orders that are given by their positions in segments have the words of a key.
SELECT segment, position, is_hit
FROM ({positions}) AS positions
CROSS JOIN LATERAL (
    SELECT words @@ replace((SELECT :tsquery), chr(1), {word_prefix})::tsquery AS is_hit
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND order_words.id = positions.id
    OFFSET 0
) AS of_order
