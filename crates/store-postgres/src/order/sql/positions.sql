-- The ids of orders given by their positions in segments. Subqueries hide the values from the
-- planner, so that one plan serves all calls.
SELECT
    given.segment,
    given.position,
    -- Each id takes 16 bytes, and substr counts from 1.
    encode(substr(segment_ids.ids, 16 * position + 1, 16), 'hex')::UUID::TEXT AS id
FROM UNNEST((SELECT :segments), (SELECT :builds), (SELECT :positions))
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
