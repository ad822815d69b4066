-- Variant of order/sql/matching.sql for distributed tables. An additional condition on
-- order_words.store_id routes the statement to the node of the store, which plans it for this store.
-- On a single node the condition would be harmful: a plan for any store would read all orders of a
-- large store by the primary key.
--
-- A page of orders that match a key, newest first: whole orders up to :bytes bytes, the other orders
-- as references. The common table `hits` has the matches at least up to the end of the page, or down
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
    SELECT chunk, left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4) AS word_prefix
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
        unnest(string_to_array((SELECT :tsquery::TEXT), ' & ')) WITH ORDINALITY AS words(part, word)
),
-- Splits the key: the index is searched for some words, and the found orders are
-- compared with the other words. The split only affects the time, not the result. The index
-- collects all orders in a chunk that have a word. For a rare word this costs less than comparing
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
            SELECT
                chunk,
                left(encode(sha256((store_id || chunk)::bytea), 'base64'), 4) AS word_prefix
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
        WHERE order_words.store_id = :store_id
          AND words @@ chunks.of_index
          -- Another chunk, even of another store, may have the same word prefix. IS TRUE keeps the
          -- planner from using the conditions with the primary key: it would read all orders of the
          -- window.
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
    LIMIT (SELECT :wanted::BIGINT)
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
SELECT
    -- Where the search continues in word lists instead of returning a page; otherwise NULLs.
    continued.newer_ids AS ids, continued.found, continued.before_id, continued.words,
    continued.segment, continued.build, continued.orders, continued.ids, continued.places,
    continued.lists, continued.changed, continued.hits,
    page.id,
    page.size,
    orders.store_id, orders.id, orders.order_id, orders.prefix, orders.number, orders.label_url,
    orders.source, orders.test, orders.currency, orders.email, orders.shipping_address,
    orders.billing_address, orders.customer_first_name, orders.customer_last_name,
    orders.production_note, orders.fingerprint, orders.art, orders.bill, orders.priced_at,
    orders.size,
    order_states.store_id, order_states.id, order_states.version, order_states.updated_at,
    order_states.last_sequence, order_states.due_at, order_states.cooling_off_seconds,
    order_states.item_count, order_states.items, order_states.status_bitmask, order_states.pending,
    order_states.needs, order_states.replaces, order_states.replaced_by, order_states.shipments,
    order_states.corrections,
    ARRAY(
        SELECT
            ROW(
                position, id, ref_id, name, name_given, sku, quantity, ship_class, unit_cost
            )::item_row
        FROM line_items
        WHERE line_items.store_id = :store_id
          AND line_items.order_uuid = orders.id
        ORDER BY position
    ) AS items,
    -- The counters in the state save the look-ups for orders without shipments and fee lines.
    CASE WHEN order_states.shipments > 0 THEN ARRAY(
        SELECT document
        FROM shipments
        WHERE shipments.store_id = :store_id
          AND shipments.order_uuid = orders.id
        ORDER BY position
    ) ELSE ARRAY[]::TEXT[] END AS shipments,
    CASE WHEN order_states.corrections > 0 THEN ARRAY(
        SELECT document
        FROM fee_corrections
        WHERE fee_corrections.store_id = :store_id
          AND fee_corrections.order_uuid = orders.id
        ORDER BY position
    ) ELSE ARRAY[]::TEXT[] END AS corrections
-- A row for each of the newest segments of the window, with the result so far. Otherwise one row of
-- NULLs, which an empty page returns alone. :starts are byte prefixes of words, :ends the smallest
-- byte strings above all words with the prefix, and :of_words the numbers of their words.
FROM (
    SELECT
        continued.ids AS newer_ids,
        continued.found,
        continued.before_id,
        continued.words,
        segments.*
    FROM (SELECT 1) AS one
    LEFT JOIN continued ON true
    LEFT JOIN LATERAL (
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
            SELECT segment, before_id, words
            FROM generate_series(
                newest_segment,
                greatest(newest_segment - (SELECT :portion::INTEGER) + 1, 1),
                -1
            ) AS segment
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
    ) AS segments ON true
) AS continued
LEFT JOIN (
    -- The orders of the page and the order after it, with the values that decide which orders are
    -- read whole.
    SELECT
        id,
        size,
        row_number() OVER newest_first AS place,
        sum(size) OVER newest_first AS size_so_far
    FROM (
        -- Skipping the offset reads only the index.
        SELECT id
        FROM hits
        WHERE NOT EXISTS (SELECT FROM continued)
        ORDER BY id DESC
        OFFSET :offset
        LIMIT :limit
    ) AS page
    CROSS JOIN LATERAL (
        SELECT size
        FROM orders
        WHERE orders.store_id = :store_id
          AND orders.id = page.id
        -- Order by order, as below.
        OFFSET 0
    ) AS sizes
    WINDOW newest_first AS (ORDER BY id DESC ROWS UNBOUNDED PRECEDING)
) AS page ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM orders
    WHERE orders.store_id = :store_id
      AND orders.id = page.id
      -- Returns no more whole orders than needed, because libpq keeps all returned rows in memory.
      -- The first order is whole whatever its size; the order after the page never is.
      AND (size_so_far <= :bytes OR place = 1)
      AND place < :limit
    -- Keeps the planner from joining in any other way than order by order: it does not know that a
    -- page has few orders.
    OFFSET 0
) AS orders ON true
LEFT JOIN LATERAL (
    SELECT *
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND order_states.id = orders.id
    OFFSET 0
) AS order_states ON true
-- The rows come in this order, so that the server does not sort.
ORDER BY page.id DESC
