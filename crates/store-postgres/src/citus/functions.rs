//! Creates and drops the functions that write the orders of one store.

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, Bool, Text};

use super::function::{ALL, Function};
use super::plans;
use super::tables::is_distributed;

/// Creates the functions of this version that the database lacks, and lets Citus run a call on the
/// node of the store whose id it names. On tables that are not distributed, the functions run like
/// any other.
pub(crate) fn ensure(connection: &mut PgConnection) -> QueryResult<()> {
    let distributed = is_distributed(connection)?;
    let keeps_plans = !distributed || plans::are_kept(connection)?;
    connection.transaction(|connection| {
        connection.batch_execute(
            "SET LOCAL statement_timeout = 0; SET LOCAL client_min_messages = 'warning'",
        )?;
        for function in ALL {
            if !exists(connection, function)? {
                connection.batch_execute(&function.definition())?;
            }
            set_plans(connection, function, keeps_plans)?;
            if distributed && !has_node(connection, function)? {
                send_to_node(connection, function)?;
            }
        }
        Ok(())
    })
}

/// Drops the functions of other versions that no connection called last. A server whose functions
/// are dropped creates them at its next write.
pub(super) fn drop_unused(connection: &mut PgConnection) -> QueryResult<()> {
    let unused: Vec<String> = sql::<Text>(
        "SELECT oid::regprocedure::text
         FROM pg_proc
         WHERE pronamespace = current_schema()::regnamespace
           AND proname ~ '^(place|change)_orders_[0-9a-f]{16}$'
           AND proname <> ALL(",
    )
    .bind::<Array<Text>, _>(ALL.map(Function::name).to_vec())
    .sql(
        ") AND NOT EXISTS (
               SELECT FROM pg_stat_activity
               WHERE datname = current_database()
                 AND strpos(query, proname) > 0
                 AND pid <> pg_backend_pid()
           )",
    )
    .load(connection)?;
    for function in unused {
        connection.batch_execute(&format!("DROP FUNCTION {function}"))?;
    }
    Ok(())
}

fn exists(connection: &mut PgConnection, function: &Function) -> QueryResult<bool> {
    sql::<Bool>("SELECT to_regproc(")
        .bind::<Text, _>(function.name())
        .sql(") IS NOT NULL")
        .get_result(connection)
}

/// Makes the function plan its statements at each call, unless Citus keeps plans. Changes nothing
/// if the function has this setting, so that servers do not wait for each other.
fn set_plans(
    connection: &mut PgConnection,
    function: &Function,
    keeps_plans: bool,
) -> QueryResult<()> {
    let setting = "plan_cache_mode=force_custom_plan";
    let is_set: bool = sql::<Bool>("SELECT COALESCE(")
        .bind::<Text, _>(setting)
        .sql(" = ANY(proconfig), false) FROM pg_proc WHERE oid = to_regproc(")
        .bind::<Text, _>(function.name())
        .sql(")")
        .get_result(connection)?;
    let name = function.name();
    match (keeps_plans, is_set) {
        (true, true) => {
            connection.batch_execute(&format!("ALTER FUNCTION {name} RESET plan_cache_mode"))
        }
        (false, false) => connection.batch_execute(&format!("ALTER FUNCTION {name} SET {setting}")),
        _ => Ok(()),
    }
}

/// Returns whether Citus runs calls of the function on the node of the store.
fn has_node(connection: &mut PgConnection, function: &Function) -> QueryResult<bool> {
    sql::<Bool>(
        "SELECT EXISTS (
             SELECT FROM pg_dist_object
             WHERE classid = 'pg_proc'::regclass
               AND distribution_argument_index IS NOT NULL
               AND objid = to_regproc(",
    )
    .bind::<Text, _>(function.name())
    .sql("))")
    .get_result(connection)
}

fn send_to_node(connection: &mut PgConnection, function: &Function) -> QueryResult<()> {
    sql_query(
        "SELECT create_distributed_function(
             to_regproc($1)::regprocedure,
             'of_store',
             colocate_with => 'orders',
             force_delegation => true
         )",
    )
    .bind::<Text, _>(function.name())
    .execute(connection)?;
    Ok(())
}
