-- A part of update.sql: writes the new content of changed orders, with their words and items.
,
given_content AS MATERIALIZED (
    SELECT *, {lexemes} AS lexemes
    FROM UNNEST(:orders, :words, :item_counts, :content_places)
        AS given({orders}, words, item_count, place)
    -- The chunk never changes, so that it is read without a lock.
    CROSS JOIN LATERAL (
        SELECT chunk
        FROM order_words
        WHERE order_words.store_id = {given.store}
          AND order_words.id = given.id
        -- Looked up for each order, whatever statistics the planner has.
        OFFSET 0
    ) AS stored
    -- Only the accepted changes.
    WHERE place = ANY(ARRAY(SELECT place FROM sequenced))
),
content AS (
    UPDATE orders
    -- The omitted columns identify the row and its number.
    SET {orders = given without store_id, id, prefix, number}
    FROM given_content AS given
    WHERE orders.store_id = {given.store}
      AND orders.id = given.id
),
-- Skips unchanged words, because each word is an entry of the index.
words AS (
    UPDATE order_words
    SET words = given.lexemes
    FROM given_content AS given
    WHERE order_words.store_id = {given.store}
      AND order_words.id = given.id
      AND order_words.words <> given.lexemes
    RETURNING order_words.store_id, order_words.id, given.place
),
-- The word lists of the background thread contain the old words: records the orders as changed.
outdated AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT {words.on_node}, words.id, sequenced.expected
    FROM words
    JOIN sequenced USING (place) {node}
),
-- The new content may have fewer items.
removed_items AS (
    DELETE FROM line_items
    USING given_content AS given
    WHERE line_items.store_id = {given.store}
      AND line_items.order_uuid = given.id
      AND line_items.position >= given.item_count
),
-- Items that are new or differ from the stored items. Stored items are looked up one by one, by
-- their key, whatever statistics the planner has: OFFSET 0 keeps it from joining.
written_items AS (
    INSERT INTO line_items (store_id, {line_items without store_id})
    SELECT {given.on_node}, {given.line_items without store_id}
    FROM (
        SELECT
            given.store_id,
            given.id AS order_uuid,
            {item.line_items without store_id, order_uuid}
        FROM UNNEST(:items, :item_places)
            AS item({line_items without store_id, order_uuid}, place)
        JOIN given_content AS given USING (place)
    ) AS given {node}
    WHERE NOT EXISTS (
        SELECT
        FROM line_items AS stored
        WHERE stored.store_id = {given.store}
          AND stored.order_uuid = given.order_uuid
          AND stored.position = given.position
          AND ({stored.line_items without store_id, order_uuid, position})
              IS NOT DISTINCT FROM ({given.line_items without store_id, order_uuid, position})
        OFFSET 0
    )
    ON CONFLICT (store_id, order_uuid, position) DO UPDATE
    SET {line_items = excluded without store_id, order_uuid, position}
)
