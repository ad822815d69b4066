-- Sets the settings of a session, or of the current transaction only: `is_local` is true if the
-- session does not have the mark :mark, because a pooler is in between.
SELECT
    has_citus,
    is_local,
    concat_ws(
        ' ',
        set_config('statement_timeout', :statement_timeout::TEXT, is_local),
        set_config('lock_timeout', :lock_timeout::TEXT, is_local),
        set_config('idle_in_transaction_session_timeout', :statement_timeout::TEXT, is_local),
        -- The page cost of a solid-state disk: with the server's default, made for spinning disks,
        -- the planner sorts a whole store to find its newest orders.
        set_config('random_page_cost', '1.1', is_local),
        -- Compiling takes longer than any of our statements, and a table without statistics is
        -- enough to trigger it.
        set_config('jit', 'off', is_local),
        -- No generic plans with Citus, which needs the parameters to find the node.
        set_config(
            'plan_cache_mode',
            CASE WHEN has_citus THEN 'auto' ELSE :plans::TEXT END,
            is_local
        ),
        -- PostgreSQL's defaults, which a database or a user may have changed: orders are on disk
        -- before their responses, and searches are complete.
        set_config('default_transaction_isolation', 'read committed', is_local),
        set_config(
            'synchronous_commit',
            CASE current_setting('synchronous_commit')
                WHEN 'off' THEN 'on'
                ELSE current_setting('synchronous_commit')
            END,
            is_local
        ),
        set_config('standard_conforming_strings', 'on', is_local),
        set_config('gin_fuzzy_search_limit', '0', is_local)
    ) AS settings
FROM (
    SELECT
        COALESCE(
            :citus::BOOLEAN,
            EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
        ) AS has_citus,
        COALESCE(current_setting('pressline.mark', true) <> :mark::TEXT, true) AS is_local
) AS engine
