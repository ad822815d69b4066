-- The orders that could be locked. The changes are joined to them in a step of its own: of a join with
-- locked rows, Citus 13.2 writes the result in one format and reads it in another.
locked AS MATERIALIZED (
    SELECT id
    FROM orders
    WHERE orders.store_id = :store_id
      AND id = ANY(ARRAY(SELECT id FROM given))
    FOR NO KEY UPDATE {when_locked}
),
seen AS MATERIALIZED (
    SELECT place
    FROM given
    JOIN locked USING (id)
)
