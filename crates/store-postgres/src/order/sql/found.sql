-- Orders that a search has found: by their ids, and by their positions in segments.
(
    SELECT id COLLATE "C" AS id
    FROM (
        -- A value that the planner does not see, as in positions.sql.
        SELECT UNNEST((SELECT :ids)) AS id
        UNION ALL
        SELECT id
        FROM ({positions}) AS positions
    ) AS ids
) AS found
