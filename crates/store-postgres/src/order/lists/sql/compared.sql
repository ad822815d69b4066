-- Whether orders, given by their positions in segments, match a key.
SELECT segment, position, is_hit
FROM (
    SELECT
        given.segment,
        given.position,
        -- Each id takes 16 bytes, and substr counts from 1.
        encode(substr(segment_ids.ids, 16 * position + 1, 16), 'hex')::UUID::TEXT AS id
    FROM UNNEST(
        (SELECT :segments::INTEGER[]),
        (SELECT :builds::INTEGER[]),
        (SELECT :positions::INTEGER[])
    )
        AS given(segment, build, position)
    CROSS JOIN LATERAL (
        SELECT ids
        FROM word_segments
        WHERE word_segments.store_id = :store_id
          AND word_segments.segment = given.segment
          -- Finds nothing if the lists were rebuilt: the positions then belong to other lists.
          AND word_segments.build = given.build
        OFFSET 0
    ) AS segment_ids
) AS positions
CROSS JOIN LATERAL (
    -- The subquery hides :tsquery from the planner, so that one plan serves all keys.
    SELECT
        words @@ replace(
            (SELECT :tsquery::TEXT),
            chr(1),
            left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)
        )::tsquery AS is_hit
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND order_words.id = positions.id
    OFFSET 0
) AS of_order
