-- The ids of orders that are given by their positions in segments, as values that the planner does not
-- see, so that it plans the statement once for any.
SELECT
    given.segment,
    given.position,
    encode(substr(segment_ids.ids, 16 * position + 1, 16), 'hex')::UUID::TEXT AS id
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
