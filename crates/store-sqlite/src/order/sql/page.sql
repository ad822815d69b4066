-- A page of orders, newest first, without their items. Skipping the offset reads only the index;
-- only the orders of the page are read whole.
SELECT orders.*
FROM (
    SELECT row_id AS hit
    FROM {source}
    ORDER BY id DESC
    LIMIT :limit
    OFFSET :offset
)
-- CROSS JOIN makes SQLite read the hits first.
CROSS JOIN orders ON row_id = hit
ORDER BY id DESC
