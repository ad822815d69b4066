-- The changes whose orders could be locked.
seen AS MATERIALIZED (
    SELECT place
    FROM given
    JOIN orders USING (store_id, id)
    FOR NO KEY UPDATE OF orders {when_locked}
)
