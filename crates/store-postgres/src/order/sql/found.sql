-- Orders that a search has found, by their ids and by their positions in segments.
(
    SELECT id COLLATE "C" AS id
    FROM (
        -- The subquery hides the value from the planner, as in positions.sql.
        SELECT UNNEST((SELECT :ids)) AS id
        UNION ALL
        SELECT id
        FROM ({positions}) AS positions
    ) AS ids
) AS found
