-- Reads the words of a portion of orders, sorted by id, and the change records included in the
-- words.
WITH
read AS MATERIALIZED (
    SELECT id, words
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND id >= :from_id
      AND id < :before_id
    ORDER BY id
    LIMIT :limit
),
-- Read in the same statement, so that records and words come from one snapshot.
changed AS MATERIALIZED (
    SELECT id, replaced
    FROM changed_words
    WHERE changed_words.store_id = :store_id
      AND id >= :from_id
      AND id <= (SELECT max(id) FROM read)
)
SELECT
    -- The smallest string above the last id. NULL after the last portion.
    max(id) || '+' AS next_id,
    COALESCE(string_agg(uuid_send(id::UUID), '' ORDER BY id), '') AS ids,
    COALESCE(
        array_agg(array_to_string(tsvector_to_array(words), chr(1)) ORDER BY id),
        ARRAY[]::TEXT[]
    ) AS words,
    ARRAY(SELECT id FROM changed ORDER BY id, replaced) AS changed_ids,
    ARRAY(SELECT replaced FROM changed ORDER BY id, replaced) AS replaced
FROM read
