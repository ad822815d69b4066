-- Orders that a search has found: by their ids, and by their positions in segments.
(
    SELECT id COLLATE "C" AS id
    FROM (
        -- Values that the planner does not see, so that it plans the statement once for any.
        SELECT UNNEST((SELECT :ids)) AS id
        UNION ALL
        SELECT encode(substr(segment_ids.ids, 16 * position + 1, 16), 'hex')::UUID::TEXT
        FROM UNNEST((SELECT :segments), (SELECT :builds), (SELECT :positions))
            AS given(segment, build, position)
        CROSS JOIN LATERAL (
            SELECT ids
            FROM word_segments
            WHERE word_segments.store_id = :store_id
              AND word_segments.segment = given.segment
              -- The positions are those of these lists.
              AND word_segments.build = given.build
            OFFSET 0
        ) AS segment_ids
    ) AS ids
) AS found
