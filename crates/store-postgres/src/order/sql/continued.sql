-- Where the search continues in word lists: a row for each of the newest segments of its window,
-- with the result so far. Otherwise one row of NULLs.
SELECT
    continued.ids AS newer_ids,
    continued.found,
    continued.before_id,
    continued.words,
    segments.*
FROM (SELECT 1) AS one
LEFT JOIN continued ON true
LEFT JOIN LATERAL ({segments}) AS segments ON true
