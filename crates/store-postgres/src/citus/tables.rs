//! The tables on the nodes of a Citus cluster.

use diesel::connection::{Connection as _, SimpleConnection};
use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, Bool, Text};
use pressline_domain::error::RepositoryError;

use crate::error::Failure;

/// Tables divided among the nodes by store. The first table decides which node a store is on; the
/// other tables keep the store's rows on the same node.
pub const BY_STORE: [&str; 20] = [
    "store_counters",
    "event_counters",
    "orders",
    "order_words",
    "word_segments",
    "word_lists",
    "changed_words",
    "line_items",
    "order_states",
    "order_events",
    "shipments",
    "fee_corrections",
    "order_notes",
    "webhook_subscriptions",
    "webhook_messages",
    "webhook_deliveries",
    "item_progress",
    "production_records",
    "open_batch_items",
    "skipped_counters",
];

/// Reference tables, copied to every node because rows of any store are joined with them or refer
/// to them.
pub const ON_EVERY_NODE: [&str; 24] = [
    "stores",
    "store_keys",
    "sealing_key",
    "products",
    "prices",
    "shipping_rates",
    "fee_schedules",
    "catalog_version",
    "operators",
    "operator_tokens",
    "operator_accounts",
    "operator_sessions",
    "sign_in_links",
    "audit_entries",
    "form_results",
    "operator_uploads",
    "tasks",
    "task_parts",
    "webhook_endpoints",
    "webhook_secrets",
    "batches",
    "batch_stores",
    "batch_counter",
    "latest_restore",
];

/// Tables that a call of [`distribute`](crate::PostgresStore::distribute) has brought to the nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeTables {
    /// Tables with rows that are now divided among the nodes by store.
    pub by_store: Vec<String>,
    /// Tables that are now copied to every node.
    pub on_every_node: Vec<String>,
}

fn has_citus(connection: &mut PgConnection) -> QueryResult<bool> {
    let text = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')";
    sql::<Bool>(text).get_result(connection)
}

pub(super) fn is_distributed(connection: &mut PgConnection) -> QueryResult<bool> {
    Ok(has_citus(connection)? && missing(connection, &BY_STORE)?.len() < BY_STORE.len())
}

/// Returns the tables that are not distributed yet, in the order of `tables`.
fn missing(connection: &mut PgConnection, tables: &[&str]) -> QueryResult<Vec<String>> {
    // Citus also lists local tables that a foreign key connects with a distributed table.
    sql::<Text>("SELECT name FROM UNNEST(")
        .bind::<Array<Text>, _>(tables)
        .sql(
            ") WITH ORDINALITY AS given(name, place) \
             WHERE NOT EXISTS ( \
                 SELECT FROM pg_dist_partition \
                 WHERE logicalrelid = to_regclass(name) AND (partmethod = 'h' OR repmodel = 't') \
             ) \
             ORDER BY place",
        )
        .load(connection)
}

/// Distributes the tables that are not distributed yet, with their rows, in one transaction.
pub(super) fn distribute(connection: &mut PgConnection) -> Result<NodeTables, Failure> {
    if !has_citus(connection)? {
        let message = "the extension citus is not installed in this database; \
                       install it on every node, then run CREATE EXTENSION citus, as docs/SCALE.md describes";
        return Err(RepositoryError::Refused(message.into()).into());
    }
    set_on_every_node(connection)?;
    connection.transaction(|connection| {
        // Copying many rows takes long. A foreign key from a distributed table to a reference table
        // requires that a transaction changes the nodes sequentially.
        connection.batch_execute(
            "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
             SET LOCAL citus.multi_shard_modify_mode = 'sequential'; \
             SET LOCAL client_min_messages = 'warning'",
        )?;
        share_type(connection)?;
        let distributed = NodeTables {
            on_every_node: missing(connection, &ON_EVERY_NODE)?,
            by_store: missing(connection, &BY_STORE)?,
        };
        // Reference tables first, because a distributed table cannot refer to a local table.
        for table in &distributed.on_every_node {
            sql_query("SELECT create_reference_table($1::regclass)")
                .bind::<Text, _>(table)
                .execute(connection)?;
        }
        for table in &distributed.by_store {
            distribute_by_store(connection, table)?;
        }
        // The rows have been copied, so this node's old copies can be deleted.
        for table in distributed
            .on_every_node
            .iter()
            .chain(&distributed.by_store)
        {
            sql_query("SELECT truncate_local_data_after_distributing_table($1::regclass)")
                .bind::<Text, _>(table)
                .execute(connection)?;
        }
        Ok(distributed)
    })
}

/// Sets `random_page_cost` and `jit` for the whole database, on every node. The service sets both
/// for its own connections, but connections between nodes would lack them. With `jit`, a node
/// spends more than a second on compiling a search.
fn set_on_every_node(connection: &mut PgConnection) -> QueryResult<()> {
    connection.batch_execute(
        "DO $$ BEGIN \
             EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database()); \
             EXECUTE format('ALTER DATABASE %I SET jit = off', current_database()); \
         END $$",
    )
}

/// Creates the type `item_row` on every node, unless it exists there. Citus copies a new type to
/// all nodes, but not a type that is older than the cluster.
fn share_type(connection: &mut PgConnection) -> QueryResult<()> {
    let statement: Option<String> = sql::<Text>(
        "SELECT format('DROP TYPE item_row; CREATE TYPE item_row AS (%s)', \
             string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)) \
         FROM pg_attribute \
         WHERE attrelid = (SELECT typrelid FROM pg_type WHERE oid = to_regtype('item_row')) \
           AND NOT EXISTS ( \
               SELECT FROM pg_dist_object \
               WHERE classid = 'pg_type'::regclass AND objid = to_regtype('item_row') \
           ) \
         HAVING count(*) > 0",
    )
    .get_result(connection)
    .optional()?;
    match statement {
        Some(statement) => connection.batch_execute(&statement),
        None => Ok(()),
    }
}

fn distribute_by_store(connection: &mut PgConnection, table: &str) -> QueryResult<()> {
    let with = BY_STORE.first().filter(|first| **first != table);
    sql_query("SELECT create_distributed_table($1::regclass, 'store_id', colocate_with => $2)")
        .bind::<Text, _>(table)
        .bind::<Text, _>(with.unwrap_or(&"none"))
        .execute(connection)?;
    Ok(())
}
