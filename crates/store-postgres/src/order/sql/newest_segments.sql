-- The newest segments with orders older than the orders looked up in the index.
SELECT segment, before_id, words
FROM generate_series(
    newest_segment,
    greatest(newest_segment - (SELECT :portion) + 1, 1),
    -1
) AS segment
