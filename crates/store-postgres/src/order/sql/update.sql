-- Changes the orders that have the expected version, with their words and items, and returns the
-- version of the catalog, and the places of the changes whose order could be locked and of those that
-- were carried out. As in create.sql, the parts that name stores differ.
WITH
catalog AS MATERIALIZED (
    SELECT version FROM catalog_version
),
-- The changes of orders that were priced with the present catalog.
given AS MATERIALIZED (
    SELECT *, {lexemes} AS lexemes
    FROM UNNEST(:orders, :words, :expected, :priced_with, :item_counts)
        WITH ORDINALITY
        AS given({orders}, words, expected, priced_with, item_count, place)
    -- Never changes, so that it is read without a lock.
    CROSS JOIN LATERAL (
        SELECT chunk
        FROM order_words
        WHERE order_words.store_id = {given.store}
          AND order_words.id = given.id
        -- Looked up for each order, whatever the planner knows of the table.
        OFFSET 0
    ) AS stored
    WHERE priced_with IS NULL
       OR priced_with = (SELECT version FROM catalog)
),
{seen},
changed AS (
    UPDATE orders
    -- The columns that are left out name the row and its number.
    SET {orders = given without store_id, id, prefix, number}
    FROM given
    WHERE orders.store_id = {given.store}
      AND orders.id = given.id
      AND orders.version = given.expected
      AND given.place = ANY(ARRAY(SELECT place FROM seen))
    RETURNING given.store_id, given.id, given.item_count, given.place
),
-- Words that stay the same are left alone, because each word is an entry of the index.
words AS (
    UPDATE order_words
    SET words = given.lexemes
    FROM given
    WHERE order_words.store_id = {given.store}
      AND order_words.id = given.id
      AND order_words.words <> given.lexemes
      AND given.place = ANY(ARRAY(SELECT place FROM changed))
    RETURNING order_words.store_id, order_words.id, given.expected
),
-- Lists of words that a background task has built are out of date for these orders.
outdated AS (
    INSERT INTO changed_words (store_id, id, replaced)
    SELECT {words.on_node}, words.id, words.expected
    FROM words {node}
),
removed_items AS (
    DELETE FROM line_items
    USING changed
    WHERE line_items.store_id = {changed.store}
      AND line_items.order_uuid = changed.id
      AND line_items.position >= changed.item_count
),
-- The items that are new or differ from the stored ones. Stored items are found one by one, by
-- their key, whatever the planner knows of the table: OFFSET 0 keeps it from joining.
written_items AS (
    INSERT INTO line_items (store_id, {line_items without store_id})
    SELECT {given.on_node}, {given.line_items without store_id}
    FROM (
        SELECT
            changed.store_id,
            changed.id AS order_uuid,
            {item.line_items without store_id, order_uuid}
        FROM UNNEST(:items, :item_places)
            AS item({line_items without store_id, order_uuid}, place)
        JOIN changed USING (place)
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
SELECT version, ARRAY(SELECT place FROM seen), ARRAY(SELECT place FROM changed)
FROM catalog
