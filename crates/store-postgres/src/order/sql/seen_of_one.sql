-- The orders that could be locked. A separate step joins them with the changes: Citus 13.2 writes
-- the result of a join with locked rows in one format and reads it in another.
locked AS MATERIALIZED (
    SELECT id, version AS stored_version
    FROM order_states
    WHERE order_states.store_id = :store_id
      AND id = ANY(ARRAY(SELECT id FROM given))
    FOR NO KEY UPDATE {when_locked}
),
seen AS MATERIALIZED (
    SELECT place, stored_version
    FROM given
    JOIN locked USING (id)
)
