-- Where the search goes on in lists of words: one row for each of the newest segments that it reaches
-- to, each with what was found before. Otherwise one row of nulls.
SELECT
    continued.ids AS newer_ids,
    continued.found,
    continued.before_id,
    continued.words,
    segments.*
FROM (SELECT 1) AS one
LEFT JOIN continued ON true
LEFT JOIN LATERAL ({segments}) AS segments ON true
