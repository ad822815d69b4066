-- The caller's segments and words. Subqueries hide the values from the planner, so that one plan
-- serves all calls.
SELECT segment, (SELECT :before_id) AS before_id, (SELECT :words) AS words
FROM UNNEST((SELECT :segments)) AS given(segment)
