-- The common table `hits`: the orders that match the words of a key, at least up to the end of the
-- page.
--
-- There are three sources, each read in its own way whatever the planner guesses of the words: the
-- latest orders (1), the newest ones (2), both in their order and only until the page is full, and
-- all that match by the index of words (3). The latest decide which source is next. If the newest
-- fill the page, should the same part of them match, the newest are next. Otherwise the index is
-- next; but if it has more than a few matches, the newest are tried before, because each match of
-- the index is an order to read.
-- `:wanted` is the number of matches that the window reaches to.
WITH
-- The one row of the key, with the prefix of the store in each word; none where there is no such
-- store.
key AS MATERIALIZED (
    SELECT whole::tsquery AS tsquery, string_to_array(whole, ' & ') AS words
    FROM (
        SELECT replace(:tsquery, chr(1), prefix) AS whole
        FROM stores
        WHERE stores.store_id = :store_id
    ) AS given
),
-- The 100 newest orders, those that match and those that do not. They fill a page for a word that
-- a fifth of the orders have, and show how common a rarer word is. Reading them costs less than the
-- rest of the search.
latest AS MATERIALIZED (
    SELECT id, words, words @@ (SELECT tsquery FROM key) AS is_match
    FROM (
        SELECT id, words
        FROM order_words
        WHERE order_words.store_id = :store_id
          AND id >= :from_id
          AND id < :before_id
        ORDER BY id DESC
        LIMIT 100
    ) AS order_words
),
-- The words of the key that the index is asked for, or null for all of them: where none is common
-- and where none is rare. It only decides how long the search takes, not what it finds. A word is
-- common if 5 of the latest 25 orders have it: collecting its matches takes longer than comparing
-- those of a rarer word.
--
-- Of three words or more, the index collects matches in 128 kB. In so little memory it soon notes
-- pages instead of orders, which takes half the time. Three words leave few pages of which all
-- orders must be looked at; of fewer words there would be too many. The memory is set until the end
-- of the transaction, which is this statement. What is kept or sorted around the index took its own
-- before.
asked AS MATERIALIZED (
    SELECT
        CASE WHEN bool_or(is_common)
            THEN string_agg(word, ' & ') FILTER (WHERE NOT is_common)::tsquery
        END AS tsquery,
        CASE WHEN count(*) FILTER (WHERE NOT is_common) > 2
            THEN set_config('work_mem', '128kB', TRUE)
        END AS work_mem
    FROM (
        SELECT
            word,
            (
                SELECT count(*)
                FROM (SELECT words FROM latest LIMIT 25) AS sample
                WHERE sample.words @@ parts.tsquery
            ) >= 5 AS is_common
        FROM (
            SELECT word, word::tsquery AS tsquery
            FROM key, unnest(words) AS word
            WHERE cardinality(words) > 1
            OFFSET 0
        ) AS parts
        OFFSET 0
    ) AS parts
),
-- The orders that the index of words finds by all words of the key, or by those in `asked`; these are
-- then compared with the rest. Where one query is null, its half reads nothing. The two
-- subqueries below that use it share its rows: it is computed only as far as they read it.
--
-- The words carry their store already. `IS TRUE` keeps the planner from taking these conditions to
-- an index, where it would read the whole store's part, or all that have the common words.
matching AS MATERIALIZED (
    SELECT id
    FROM order_words
    WHERE words @@ (SELECT key.tsquery FROM key, asked WHERE asked.tsquery IS NULL)
      AND (order_words.store_id = :store_id) IS TRUE
    UNION ALL
    SELECT id
    FROM order_words
    WHERE words @@ (SELECT tsquery FROM asked)
      AND (order_words.store_id = :store_id AND words @@ (SELECT tsquery FROM key)) IS TRUE
),
-- The source that the latest orders point to: themselves where they fill the page or are all there
-- are; the 2000 newest, 20 times as many, where these probably fill it; else the index.
first AS MATERIALIZED (
    SELECT CASE
        WHEN count(*) < 100 OR count(*) FILTER (WHERE is_match) >= :wanted THEN 1
        WHEN count(*) FILTER (WHERE is_match) * 20 >= :wanted THEN 2
        ELSE 3
    END AS source
    FROM latest
),
-- The newest are looked at after all where the index has more than 500 matches; a rare word has
-- fewer. The newest do not fill a page that ends behind them.
second AS MATERIALIZED (
    SELECT CASE
        WHEN source = 3
            AND :wanted <= 2000
            AND (SELECT count(*) FROM (SELECT FROM matching LIMIT 500 + 1) AS few) > 500
        THEN 2
        ELSE source
    END AS source
    FROM first
),
-- Those of the 2000 newest that match, up to the end of the page, if they are the source.
newest AS MATERIALIZED (
    SELECT id
    FROM (
        SELECT id, words
        FROM order_words
        WHERE order_words.store_id = :store_id
          AND id >= :from_id
          AND id < :before_id
          AND (SELECT source FROM second) = 2
        ORDER BY id DESC
        LIMIT 2000
    ) AS order_words
    WHERE words @@ (SELECT tsquery FROM key)
    ORDER BY id DESC
    LIMIT :wanted
),
-- The index, where the newest do not fill the page.
third AS MATERIALIZED (
    SELECT CASE
        WHEN source = 2 AND (SELECT count(*) FROM newest) < :wanted THEN 3
        ELSE source
    END AS source
    FROM second
),
hits AS (
    SELECT id
    FROM latest
    WHERE is_match AND (SELECT source FROM third) = 1
    UNION ALL
    SELECT id
    FROM newest
    WHERE (SELECT source FROM third) = 2
    UNION ALL
    SELECT id
    FROM matching
    WHERE id >= :from_id
      AND id < :before_id
      AND (SELECT source FROM third) = 3
)
