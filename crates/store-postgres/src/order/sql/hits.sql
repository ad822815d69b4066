-- The common table `hits`: the orders that match a key, at least up to the end of the page, or down
-- to the first order with word lists. `:wanted` is the number of matches up to the end of the
-- window.
--
-- The newest orders are compared with the key directly. If they do not fill the page, the word
-- index is read chunk by chunk, newest first, until the page is full. A search thus reads a single
-- chunk's matches of a common word; for a rare word, it looks into each chunk. Orders of segments
-- are not looked up in the index: `continued` says where their lists must be read.
WITH
-- The store's chunks. No row for an unknown store.
chunked AS MATERIALIZED (
    SELECT store_id, chunks_from
    FROM store_counters
    WHERE store_counters.store_id = :store_id
),
-- The newest segment with lists. All older segments have lists, too.
listed AS MATERIALIZED (
    SELECT segment, before_id
    FROM word_segments
    WHERE word_segments.store_id = :store_id
      AND build > 0
    ORDER BY segment DESC
    LIMIT 1
),
-- The 50 newest orders, whether they match or not. They fill a page for a word of every second
-- order, and show how common a rarer word is. Each further order would cost every search a
-- microsecond.
latest AS MATERIALIZED (
    SELECT id, chunk, words
    FROM order_words
    WHERE order_words.store_id = :store_id
      AND id >= :from_id
      AND id < :before_id
    ORDER BY id DESC
    LIMIT 50
),
-- The chunks of the newest orders, each with the prefix of its words.
latest_chunks AS MATERIALIZED (
    SELECT chunk, {word_prefix} AS word_prefix
    FROM chunked, (SELECT DISTINCT chunk FROM latest) AS chunks
),
-- The newest orders that match.
latest_hits AS MATERIALIZED (
    SELECT id
    FROM (
        SELECT chunk, replace(:tsquery, chr(1), word_prefix)::tsquery AS tsquery
        FROM latest_chunks
        -- Computes the query once for each chunk.
        OFFSET 0
    ) AS queries
    JOIN latest USING (chunk)
    WHERE words @@ tsquery
),
-- The range of ids in which the index must be read. No row if the newest orders fill the page, or
-- are all orders of the window.
rest AS MATERIALIZED (
    SELECT
        min(id) AS before_id,
        -- Older orders are in the lists.
        greatest(:from_id, (SELECT before_id FROM listed)) AS from_id
    FROM latest
    HAVING count(*) = 50
       AND (SELECT count(*) FROM latest_hits) < :wanted
),
-- Numbered search words, each with the number of the newest orders that have it.
parts AS MATERIALIZED (
    SELECT
        part,
        word,
        -- A single word needs no comparison with other words.
        CASE WHEN part = :tsquery THEN 0 ELSE (
            SELECT count(*)
            FROM (
                SELECT chunk, replace(part, chr(1), word_prefix)::tsquery AS tsquery
                FROM latest_chunks
                OFFSET 0
            ) AS queries
            JOIN latest USING (chunk)
            WHERE words @@ tsquery
        ) END AS seen
    FROM
        rest,
        -- The subquery hides the value from the planner. Otherwise a plan for the value seems
        -- better than a generic plan, and the server plans each search, which takes longer than
        -- most searches.
        unnest(string_to_array((SELECT :tsquery), ' & ')) WITH ORDINALITY AS words(part, word)
),
-- Splits the words of the key: the index is searched for some words, and the found orders are
-- compared with the other words. The split only affects the time, not the result. The index
-- collects all orders of a chunk that have a word. For a rare word this costs less than comparing
-- the orders that have the other words. For a word that is more common than the rarest word by a
-- fifth of the orders, it costs more. After three rare words, few orders are left to compare.
asked AS MATERIALIZED (
    SELECT
        string_agg(part, ' & ') FILTER (WHERE is_asked) AS of_index,
        string_agg(part, ' & ') FILTER (WHERE NOT is_asked) AS of_orders,
        -- Numbers of the words to read the lists of first.
        array_agg(word::INTEGER ORDER BY seen) FILTER (WHERE is_asked) AS words
    FROM (
        SELECT
            part,
            word,
            seen,
            row_number() OVER rarest_first <= 3
                AND seen <= min(seen) OVER rarest_first + 10 AS is_asked
        FROM parts
        WINDOW rarest_first AS (ORDER BY seen)
    ) AS parts
),
-- The orders that the index finds, chunk by chunk: a chunk is read only if the chunks before it
-- have not filled the page. Within a chunk the index is unordered, so that all its matches are
-- sorted.
walked AS MATERIALIZED (
    SELECT id
    FROM (
        SELECT
            chunk,
            replace(of_index, chr(1), word_prefix)::tsquery AS of_index,
            replace(of_orders, chr(1), word_prefix)::tsquery AS of_orders
        FROM (
            SELECT chunk, {word_prefix} AS word_prefix
            FROM
                chunked,
                rest,
                -- The chunks that overlap the window.
                generate_series(
                    width_bucket(rest.before_id, chunks_from),
                    width_bucket(rest.from_id, chunks_from),
                    -1
                ) AS chunk
            WHERE rest.from_id < rest.before_id
            OFFSET 0
        ) AS chunks, asked
        ORDER BY chunk DESC
        -- Computes the queries once for each chunk, not for each order.
        OFFSET 0
    ) AS chunks
    CROSS JOIN LATERAL (
        SELECT id
        FROM order_words
        WHERE {of_store}
          words @@ chunks.of_index
          -- Another chunk, even of another store, may have the same word prefix. IS TRUE keeps the
          -- planner from using these conditions with the primary key, by which it would read all
          -- orders of the window.
          AND (
              order_words.store_id = :store_id
              AND order_words.chunk = chunks.chunk
              AND id >= (SELECT from_id FROM rest)
              AND id < (SELECT before_id FROM rest)
              AND (chunks.of_orders IS NULL OR words @@ chunks.of_orders)
          ) IS TRUE
        OFFSET 0
    ) AS found
    ORDER BY chunk DESC, id DESC
    -- Hidden from the planner, as above.
    LIMIT (SELECT :wanted)
),
hits AS (
    SELECT id FROM latest_hits
    UNION ALL
    SELECT id FROM walked
),
-- The point at which the search continues in word lists. No row unless the page is not full and
-- older orders are in lists. The columns are the matches so far that are on the page, their number
-- including the matches before the page, the id below which the lists are read, the newest segment
-- with such orders, and the words to read the lists of first.
continued AS MATERIALIZED (
    SELECT
        ARRAY(SELECT id FROM hits ORDER BY id DESC OFFSET :offset) AS ids,
        (SELECT count(*) FROM hits) AS found,
        least(rest.before_id, listed.before_id) AS before_id,
        (
            SELECT max(segment)
            FROM word_segments
            WHERE word_segments.store_id = :store_id
              AND segment <= listed.segment
              AND from_id < least(rest.before_id, listed.before_id)
        ) AS newest_segment,
        asked.words
    FROM rest, listed, asked
    WHERE :from_id < listed.before_id
      AND (SELECT count(*) FROM hits) < :wanted
)
