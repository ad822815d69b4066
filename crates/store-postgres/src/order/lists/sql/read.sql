-- Reads the word lists of the segments :segments that overlap the window, newest first, for the
-- words with the numbers :words. :starts are byte prefixes of words, :ends the smallest byte
-- strings above all words with the prefix, and :of_words the numbers of their words. Subqueries hide
-- the values from the planner, so that one plan serves all calls.
SELECT
    given.segment,
    build,
    octet_length(segments.ids) / 16 AS orders,
    -- The ids are large, and only needed to find positions outside the window or of changed orders.
    CASE
        WHEN segments.before_id > given.before_id
          OR segments.from_id < :from_id
          OR cardinality(changed.ids) > 0
        THEN segments.ids
    END AS ids,
    blocks.places,
    blocks.lists,
    changed.ids AS changed,
    changed.hits
FROM (
    SELECT segment, (SELECT :before_id) AS before_id, (SELECT :words::INTEGER[]) AS words
    FROM UNNEST((SELECT :segments::INTEGER[])) AS given(segment)
) AS given
CROSS JOIN LATERAL (
    SELECT from_id, before_id, build, ids
    FROM word_segments
    WHERE word_segments.store_id = :store_id
      AND word_segments.segment = given.segment
      AND build > 0
      AND from_id < given.before_id
      AND before_id > :from_id
    OFFSET 0
) AS segments
-- The blocks that can contain words with the prefix.
CROSS JOIN LATERAL (
    SELECT
        COALESCE(array_agg(place), ARRAY[]::BIGINT[]) AS places,
        COALESCE(array_agg(lists), ARRAY[]::BYTEA[]) AS lists
    FROM UNNEST(
        (SELECT :starts::BYTEA[]),
        (SELECT :ends::BYTEA[]),
        (SELECT :of_words::INTEGER[])
    ) WITH ORDINALITY
        AS wanted(start, before, word, place)
    CROSS JOIN LATERAL (
        SELECT lists
        FROM word_lists
        WHERE word_lists.store_id = :store_id
          AND word_lists.segment = given.segment
          -- Starting with the block that contains the prefix itself, which may begin with a smaller
          -- word.
          AND first_word >= COALESCE(
              (
                  SELECT first_word
                  FROM word_lists
                  WHERE word_lists.store_id = :store_id
                    AND word_lists.segment = given.segment
                    AND first_word <= start
                  ORDER BY first_word DESC
                  LIMIT 1
              ),
              start
          )
          AND first_word < before
        OFFSET 0
    ) AS of_word
    WHERE word = ANY (given.words)
) AS blocks
-- The orders with words that have changed since the lists were built, and the changed orders that
-- match.
CROSS JOIN LATERAL (
    SELECT
        COALESCE(array_agg(changed.id), ARRAY[]::TEXT[]) AS ids,
        COALESCE(array_agg(changed.id) FILTER (WHERE is_hit), ARRAY[]::TEXT[]) AS hits
    FROM (
        SELECT DISTINCT id
        FROM changed_words
        WHERE changed_words.store_id = :store_id
          AND id >= segments.from_id
          AND id < segments.before_id
    ) AS changed
    CROSS JOIN LATERAL (
        SELECT
            words @@ replace(
                (SELECT :tsquery::TEXT),
                chr(1),
                left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4)
            )::tsquery AS is_hit
        FROM order_words
        WHERE order_words.store_id = :store_id
          AND order_words.id = changed.id
        OFFSET 0
    ) AS of_order
) AS changed
ORDER BY segment DESC
