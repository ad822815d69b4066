-- The newest orders that match a filter of statuses and types and a key, newest first; and the id
-- below which further orders follow, NULL if there are none.
,
newest AS MATERIALIZED (
    SELECT id
    FROM of_status
    ORDER BY id DESC
    LIMIT :wanted
),
found AS MATERIALIZED (
    SELECT id, chunk, words
    FROM newest
    CROSS JOIN LATERAL (
        SELECT chunk, words
        FROM order_words
        WHERE order_words.store_id = :store_id
          AND order_words.id = newest.id
        -- Keeps the planner from joining in any other way than order by order.
        OFFSET 0
    ) AS of_order
)
SELECT
    ARRAY(
        SELECT id
        FROM (
            SELECT
                chunk,
                replace((SELECT :tsquery), chr(1), {word_prefix})::tsquery AS tsquery
            FROM (
                SELECT chunk, :store_id::TEXT AS store_id
                FROM (SELECT DISTINCT chunk FROM found) AS chunks
            ) AS chunks
            -- Computes the query once for each chunk.
            OFFSET 0
        ) AS queries
        JOIN found USING (chunk)
        WHERE words @@ tsquery
        ORDER BY id DESC
    ),
    -- Fewer orders than wanted mean that there are no further orders.
    (SELECT min(id) FROM newest HAVING count(*) = :wanted)
