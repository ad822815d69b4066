-- The changes of orders that could be locked, each with the current version of its order.
seen AS MATERIALIZED (
    SELECT place, order_states.version AS stored_version
    FROM given
    JOIN order_states USING (store_id, id)
    FOR NO KEY UPDATE OF order_states {when_locked}
)
