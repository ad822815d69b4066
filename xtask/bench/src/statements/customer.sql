-- A customer's names and their search words.
SELECT
    {first}[:first::int] AS first,
    {last}[:last::int] || ' ' || {second}[:second::int] AS last,
    {first_words}[:first::int] || ' ' || {last_words}[:last::int] || ' ' || {second_words}[:second::int]
        || ' shop.' || :shop::text || '@orders.example.com orders.example.com ' || :shop::text AS words
