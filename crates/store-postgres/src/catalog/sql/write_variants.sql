-- Inserts variants with their words, or replaces stored variants.
INSERT INTO products ({products}, words)
-- Built from an array, so that no text search configuration stems or drops a word.
SELECT {products}, array_to_tsvector(string_to_array(words, chr(1)))
FROM UNNEST(:variants, :words) AS given({products}, words)
ON CONFLICT (sku) DO UPDATE
SET {products = excluded}, words = excluded.words
