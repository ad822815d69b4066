-- The segments and the words that a caller names, as values that the planner does not see, so that it
-- plans the statement once for any.
SELECT segment, (SELECT :before_id) AS before_id, (SELECT :words) AS words
FROM UNNEST((SELECT :segments)) AS given(segment)
