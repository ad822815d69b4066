-- Inserts variants with their words, or replaces those that exist.
INSERT INTO products ({products}, words)
SELECT {products}, array_to_tsvector(string_to_array(words, chr(1)))
FROM UNNEST(:variants, :words) AS given({products}, words)
ON CONFLICT (sku) DO UPDATE
SET {products = excluded}, words = excluded.words
