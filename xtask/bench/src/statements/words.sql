-- The search words of an order, each with the prefix of its chunk. As in the service, prefixes of other words are left out: `1` of the country code
-- is a prefix of the whole phone number, and the parts of the mailbox are prefixes of the order id and the number.
array_to_tsvector(string_to_array({chunk} || replace(
    lower({order_id}) || ' ' || split_part({order_id}, '-', 2) || ' ' || lower({prefix}) || '-' || {number} || ' '
        || {number} || ' ' || {id} || ' buyer.p-' || {number} || '@mail.example.com mail.example.com '
        || :c::text || ' ' || :b::text || :c::text || ' ' || :a::text || :b::text || :c::text || ' 1'
        || :a::text || :b::text || :c::text || ' ' || who.words || ' '
        || (SELECT string_agg(given.words, ' ') FROM given),
    ' ',
    ' ' || {chunk}
), ' '))
