//! Statements of a store's requests on one node of a Citus cluster.

use std::collections::BTreeSet;

use diesel::Connection as _;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;
use pressline_testkit::{Citus, CitusDatabase};

use crate::places::{StatementKind, check};
use crate::{fixtures, runtime};

#[test]
fn each_statement_of_a_store_goes_to_one_node() {
    let Some(cluster) = Citus::start(2).unwrap() else {
        return;
    };
    let database = distributed(&cluster);
    let mut connection = PgConnection::establish(database.url()).unwrap();
    // Shows the node of each shard in the plans.
    connection
        .batch_execute("SET citus.explain_all_tasks = on")
        .unwrap();
    check(&mut connection, |listed| listed.1, place_among_nodes);
}

fn distributed(cluster: &Citus) -> CitusDatabase {
    let database = cluster.create_database().unwrap();
    let store = PostgresStore::connect(database.url(), &patient()).unwrap();
    runtime().block_on(async {
        store.migrate().await.unwrap();
        store.distribute().await.unwrap();
        store.cold().add(&fixtures::store(1)).await.unwrap();
    });
    database
}

/// Each part of a statement must be one task, and all tasks that use tables of stores must be on
/// one node.
fn place_among_nodes(plan: &str) -> StatementKind {
    let counts = plan.split("Task Count: ").skip(1);
    if counts.clone().any(|rest| !rest.starts_with("1\n")) || plan.contains("pull to coordinator") {
        return StatementKind::Excepted("a part of it has several tasks");
    }
    let nodes: BTreeSet<&str> = plan
        .split("Node: ")
        .skip(1)
        .filter(|task| TABLES.iter().any(|table| task.contains(table)))
        .filter_map(|task| task.lines().next())
        .collect();
    match nodes.len() {
        0 => StatementKind::Nowhere,
        1 => StatementKind::OfStore,
        _ => StatementKind::Excepted("it uses several nodes"),
    }
}

/// Prefixes of the shard names of distributed tables, as plans show them.
const TABLES: [&str; 15] = [
    " on store_counters_",
    " on orders_",
    " on order_words_",
    " on word_segments_",
    " on word_lists_",
    " on changed_words_",
    " on line_items_",
    " on event_counters_",
    " on order_states_",
    " on order_events_",
    " on shipments_",
    " on fee_corrections_",
    " on item_progress_",
    " on production_records_",
    " on open_batch_items_",
];
