//! Finds out whether Citus keeps the plans of statements in functions.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};

type Version = (u32, u32, u32);

/// First version that looks for a kept plan in the wrong place: a statement is planned at each
/// execution, and each plan, about 32 kB, is kept until the connection ends (Citus issue 8371).
const FIRST_FAULTY: Version = (13, 2, 1);

/// Versions with this fault.
const FAULTY: [Version; 4] = [FIRST_FAULTY, (13, 2, 2), (14, 0, 0), (14, 0, 1)];

/// A function that runs a statement on the node of the store `of_store`, and returns whether the
/// session keeps no more plans after it.
const PROBE: &str = "
CREATE OR REPLACE FUNCTION probe_kept_plans(of_store text) RETURNS boolean
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $function$
DECLARE
    plans_before bigint;
    plans_after bigint;
BEGIN
    FOR execution IN 1 .. 20 LOOP
        UPDATE event_counters SET last_sequence = last_sequence WHERE store_id = of_store;
        -- PostgreSQL decides at the sixth execution whether it keeps a plan.
        IF execution = 10 THEN
            SELECT count(*) INTO plans_before
            FROM pg_backend_memory_contexts
            WHERE name = 'CachedPlan';
        END IF;
    END LOOP;
    SELECT count(*) INTO plans_after
    FROM pg_backend_memory_contexts
    WHERE name = 'CachedPlan';
    RETURN plans_after <= plans_before;
END
$function$;
SELECT create_distributed_function(
    'probe_kept_plans(text)', 'of_store', colocate_with => 'orders', force_delegation => true
)";

/// Returns `false` if functions must plan their statements at each call. Tables must be
/// distributed.
pub fn are_kept(connection: &mut PgConnection) -> QueryResult<bool> {
    let text: String = sql::<Text>("SELECT citus_version()").get_result(connection)?;
    Ok(match version(&text) {
        Some(version) if version < FIRST_FAULTY => true,
        Some(version) if FAULTY.contains(&version) => false,
        _ => probe(connection),
    })
}

/// Reads `text`, for example `Citus 13.2.2 on x86_64-pc-linux-gnu, compiled by …`.
fn version(text: &str) -> Option<Version> {
    let mut numbers = text.split_whitespace().nth(1)?.split('.');
    let mut next = || numbers.next()?.parse().ok();
    Some((next()?, next()?, next()?))
}

/// Returns whether a session keeps no more plans after some executions of a statement. Returns
/// `false` if the probe fails, for example because the user may not see the memory of its
/// own session: planning at each call is right with any version.
pub fn probe(connection: &mut PgConnection) -> bool {
    let made = connection.batch_execute(PROBE);
    let result = made
        .and_then(|()| sql::<Bool>("SELECT probe_kept_plans('any store')").get_result(connection));
    if let Err(error) = connection.batch_execute("DROP FUNCTION IF EXISTS probe_kept_plans(text)") {
        tracing::warn!(%error, "cannot drop the function probe_kept_plans; it may be dropped by hand");
    }
    result.unwrap_or_else(|error| {
        tracing::warn!(
            %error,
            "cannot find out whether Citus keeps plans; writes of orders are planned at each call"
        );
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_the_second_word() {
        let text = "Citus 13.2.2 on x86_64-pc-linux-gnu, compiled by gcc";
        assert_eq!(version(text), Some((13, 2, 2)));
        assert_eq!(version("Citus 14.1devel on x86_64"), None);
    }
}
