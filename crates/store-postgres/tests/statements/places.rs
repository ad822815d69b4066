//! Placement of the statements of a store's requests: on one node of a Citus cluster, and in one
//! partition of tables partitioned by store.

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::QueryFragment;
use pressline_domain::store::StoreDirectory;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;
use pressline_testkit::{Citus, CitusDatabase};

use crate::samples::samples;
use crate::{Explain, fixtures, migrated_database, runtime};

/// Placement of the rows of stores that a statement reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatementKind {
    /// In the node or partition of its store.
    OfStore,
    /// The statement reads only tables that every node has a copy of.
    Nowhere,
    /// In several places, or the statement is never sent; with the reason.
    Excepted(&'static str),
}

use StatementKind::{Excepted, Nowhere, OfStore};

const SEVERAL: &str = "it writes orders of several stores, where the tables are on one node";
const FOUND_TOGETHER: &str =
    "it reads orders of several stores, each by its store, where the tables are on one node";
const OPERATORS: &str = "only calls of operators send it, and it looks store by store";
const BACKGROUND: &str = "no request of a store sends it, and it looks store by store";
const IN_WORDS: &str = "a condition on the store would also lead to the primary key, by which a plan for any store reads \
     all orders of a large one; in the other partitions, the index has no word with the prefix of the store";
const ON_ONE_NODE: &str = "it is sent where the tables are on one node";

/// Name of each statement, its place on Citus nodes, and its place among hash partitions.
const STATEMENTS: [(&str, StatementKind, StatementKind); 74] = [
    ("create one order", Excepted(ON_ONE_NODE), OfStore),
    (
        "create orders of any stores",
        Excepted(SEVERAL),
        Excepted(SEVERAL),
    ),
    ("create orders of one store", OfStore, OfStore),
    (
        "update orders of any stores",
        Excepted(SEVERAL),
        Excepted(SEVERAL),
    ),
    ("update orders of one store", OfStore, OfStore),
    ("update one order", OfStore, OfStore),
    (
        "move orders of any stores",
        Excepted(SEVERAL),
        Excepted(SEVERAL),
    ),
    ("move orders of one store", OfStore, OfStore),
    ("move one order", OfStore, OfStore),
    ("begin a chunk", OfStore, OfStore),
    ("begin a segment", OfStore, OfStore),
    ("forget changes", OfStore, OfStore),
    ("take a segment", OfStore, OfStore),
    ("the words of a segment", OfStore, OfStore),
    ("delete lists", OfStore, OfStore),
    ("insert lists", OfStore, OfStore),
    ("a segment has lists", OfStore, OfStore),
    ("lists have changes", OfStore, OfStore),
    ("word lists", OfStore, OfStore),
    (
        "whether orders that were found in lists have all words",
        OfStore,
        OfStore,
    ),
    ("orders that were found in lists", OfStore, OfStore),
    ("an order by its id", OfStore, OfStore),
    ("an order by the caller's id", OfStore, OfStore),
    (
        "orders of any stores by their names",
        Excepted(FOUND_TOGETHER),
        Excepted(FOUND_TOGETHER),
    ),
    (
        "an order by the caller's id or its number",
        OfStore,
        OfStore,
    ),
    ("orders by their ids", OfStore, OfStore),
    ("the history of an order", OfStore, OfStore),
    ("events of a store", OfStore, OfStore),
    ("events of a store without orders", OfStore, OfStore),
    ("events of several orders of a store", OfStore, OfStore),
    (
        "take due orders of any stores",
        Excepted(BACKGROUND),
        Excepted(BACKGROUND),
    ),
    ("take due orders of a store", OfStore, OfStore),
    (
        "a shipment of any store by its id",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "shipments of any stores by the tracking number",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "the shipments of the newest orders of any stores",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "the shipments of the newest orders of a store",
        OfStore,
        OfStore,
    ),
    ("a shipment of a store by its id", OfStore, OfStore),
    (
        "shipments of a store by the tracking number",
        OfStore,
        OfStore,
    ),
    (
        "query through orders of any stores, oldest first",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "query through orders of a store, oldest first",
        OfStore,
        OfStore,
    ),
    (
        "query through orders of any stores, newest first",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "query through orders of a store, newest first",
        OfStore,
        OfStore,
    ),
    (
        "query and compare words, any stores, oldest first",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "query and compare words, one store, oldest first",
        OfStore,
        OfStore,
    ),
    (
        "query and compare words, any stores, newest first",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "query and compare words, one store, newest first",
        OfStore,
        OfStore,
    ),
    (
        "query by words, any stores, oldest first",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "query by words, one store, oldest first",
        OfStore,
        Excepted(IN_WORDS),
    ),
    (
        "query by words, any stores, newest first",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    (
        "query by words, one store, newest first",
        OfStore,
        Excepted(IN_WORDS),
    ),
    (
        "count the items of any stores",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    ("count the items of a store", OfStore, OfStore),
    (
        "open orders of any stores",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    ("open orders of a store", OfStore, OfStore),
    (
        "orders of any stores by hour",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    ("orders of a store by hour", OfStore, OfStore),
    (
        "parcels of any stores by hour",
        Excepted(OPERATORS),
        Excepted(OPERATORS),
    ),
    ("parcels of a store by hour", OfStore, OfStore),
    ("placed orders of a store", OfStore, OfStore),
    ("progress of orders", OfStore, OfStore),
    ("records of an order", OfStore, OfStore),
    ("records of an item", OfStore, OfStore),
    ("items of orders in open batches", OfStore, OfStore),
    ("free the items of a batch", OfStore, OfStore),
    ("the newest orders", OfStore, OfStore),
    ("matching orders", Excepted(ON_ONE_NODE), Excepted(IN_WORDS)),
    ("matching orders on a node", OfStore, OfStore),
    ("orders by status", OfStore, OfStore),
    ("which orders with a status have words", OfStore, OfStore),
    ("which orders have a status", OfStore, OfStore),
    ("what an order is priced with", Nowhere, Nowhere),
    ("all products", Nowhere, Nowhere),
    ("matching products", Nowhere, Nowhere),
    ("the next products, of which many match", Nowhere, Nowhere),
];

/// Returns the plan of `statement` without running it.
fn planned(connection: &mut PgConnection, statement: &dyn QueryFragment<Pg>) -> String {
    let lines: Vec<String> = Explain("EXPLAIN (COSTS OFF) ", statement)
        .load(connection)
        .unwrap();
    lines.join("\n")
}

/// Compares each statement's plan, as read by `found`, with its `place` in the list.
fn check(
    connection: &mut PgConnection,
    place: fn(&(&str, StatementKind, StatementKind)) -> StatementKind,
    found: fn(&str) -> StatementKind,
) {
    let mut names = BTreeSet::new();
    samples().for_each(|name, statement| {
        assert!(
            names.insert(name),
            "{name} is not the name of two statements"
        );
        let listed = STATEMENTS.iter().find(|listed| listed.0 == name);
        let expected = place(listed.unwrap_or_else(|| panic!("{name} is not in the list")));
        if matches!(expected, StatementKind::Excepted(_)) {
            return;
        }
        let plan = planned(connection, statement);
        assert_eq!(found(&plan), expected, "{name}\n{plan}");
    });
    assert_eq!(
        names.len(),
        STATEMENTS.len(),
        "each statement of the list exists"
    );
}

#[test]
fn each_statement_of_a_store_reads_one_of_sixteen_partitions() {
    let (_database, mut connection) = migrated_database();
    connection.batch_execute(PARTITIONED).unwrap();
    check(&mut connection, |listed| listed.2, place_among_partitions);
}

/// Splits each table into 16 partitions.
pub(crate) const PARTITIONED: &str = "
    DO $$
    DECLARE name TEXT;
    BEGIN
        FOREACH name IN ARRAY ARRAY['store_counters', 'event_counters', 'orders', 'order_words', 'word_segments',
            'word_lists', 'changed_words', 'line_items', 'order_states', 'order_events', 'shipments',
            'fee_corrections', 'webhook_subscriptions', 'webhook_messages', 'webhook_deliveries', 'item_progress',
            'production_records', 'open_batch_items'] LOOP
            EXECUTE format('ALTER TABLE %1$I RENAME TO %1$s_whole', name);
            EXECUTE format('CREATE TABLE %1$I (LIKE %1$s_whole INCLUDING ALL) PARTITION BY HASH (store_id)', name);
            EXECUTE format('DROP TABLE %s_whole', name);
            FOR part IN 0..15 LOOP
                EXECUTE format('CREATE TABLE %1$s_part%2$s PARTITION OF %1$I FOR VALUES WITH (MODULUS 16, REMAINDER %2$s)',
                    name, part);
            END LOOP;
        END LOOP;
    END $$";

/// The plan does not show a partition that rows are inserted into.
fn place_among_partitions(plan: &str) -> StatementKind {
    let parts = plan.split("_part").skip(1);
    let numbers: BTreeSet<&str> = parts
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next())
        .collect();
    match numbers.len() {
        0 => StatementKind::Nowhere,
        1 => StatementKind::OfStore,
        _ => StatementKind::Excepted("it reads several partitions"),
    }
}

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
