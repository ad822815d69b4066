INSERT INTO word_lists (store_id, segment, first_word, lists)
SELECT node.store, :segment, block.first_word, block.lists
FROM UNNEST(:first_words, :lists) AS block(first_word, lists)
{node}
