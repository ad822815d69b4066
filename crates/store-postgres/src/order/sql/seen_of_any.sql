-- The changes whose orders could be locked, with the versions that these have now.
seen AS MATERIALIZED (
    SELECT place, order_states.version AS stored_version
    FROM given
    JOIN order_states USING (store_id, id)
    FOR NO KEY UPDATE OF order_states {when_locked}
)
