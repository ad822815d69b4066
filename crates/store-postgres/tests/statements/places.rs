//! Placement of the statements of a store's requests: in one partition of tables partitioned by
//! store, and on one node (`citus`).

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::QueryFragment;

use crate::samples::samples;
use crate::{Explain, migrated_database};

/// Placement of the rows of stores that a statement reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementKind {
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
const FUNCTION: &str = "its plan shows only a call, and the function refuses other nodes";
const ON_ONE_NODE: &str = "it is sent where the tables are on one node";

/// Statements with the same placement on Citus nodes and among hash partitions.
const PLACES: [(StatementKind, &[&str]); 6] = [
    (
        Excepted(SEVERAL),
        &[
            "create orders of any stores",
            "update orders of any stores",
            "update one order",
            "move orders of any stores",
            "move one order",
        ],
    ),
    (
        OfStore,
        &[
            "begin a chunk",
            "begin a segment",
            "forget changes",
            "take a segment",
            "the words of a segment",
            "delete lists",
            "insert lists",
            "a segment has lists",
            "lists have changes",
            "word lists",
            "whether orders that were found in lists have all words",
            "orders that were found in lists",
            "an order by its id",
            "an order by the caller's id",
            "orders by the caller's id, and by number or id",
            "the number of an order of a store",
            "orders by their ids",
            "the history of an order",
            "events of a store",
            "events of a store without orders",
            "events of several orders of a store",
            "take due orders of a store",
            "the shipments of the newest orders of a store",
            "a shipment of a store by its id",
            "shipments of a store by the tracking number",
            "query through orders of a store, oldest first",
            "query through orders of a store, newest first",
            "query and compare words, one store, oldest first",
            "query and compare words, one store, newest first",
            "count the items of a store",
            "open orders of a store",
            "orders of a store by hour",
            "parcels of a store by hour",
            "placed orders of a store",
            "progress of orders",
            "records of an order",
            "records of an item",
            "items of orders in open batches",
            "free the items of a batch",
            "the newest orders",
            "matching orders on a node",
            "orders by status",
            "which orders with a status have words",
            "which orders have a status",
        ],
    ),
    (
        Excepted(FOUND_TOGETHER),
        &["orders of any stores by their names"],
    ),
    (
        Excepted(BACKGROUND),
        &["take due orders of any stores", "stores with due orders"],
    ),
    (
        Excepted(OPERATORS),
        &[
            "the number of an order of any store",
            "a shipment of any store by its id",
            "shipments of any stores by the tracking number",
            "the shipments of the newest orders of any stores",
            "query through orders of any stores, oldest first",
            "query through orders of any stores, newest first",
            "query and compare words, any stores, oldest first",
            "query and compare words, any stores, newest first",
            "query by words, any stores, oldest first",
            "query by words, any stores, newest first",
            "count the items of any stores",
            "open orders of any stores",
            "orders of any stores by hour",
            "parcels of any stores by hour",
        ],
    ),
    (
        Nowhere,
        &[
            "what an order is priced with",
            "all products",
            "matching products",
            "the next products, of which many match",
        ],
    ),
];

/// Further statements: the name, the place on Citus nodes, and the place among hash partitions.
const DIFFERENT_PLACES: [(&str, StatementKind, StatementKind); 6] = [
    ("create one order", Excepted(ON_ONE_NODE), OfStore),
    (
        "create orders by a function",
        Excepted(FUNCTION),
        Excepted(FUNCTION),
    ),
    (
        "change orders by a function",
        Excepted(FUNCTION),
        Excepted(FUNCTION),
    ),
    (
        "query by words, one store, oldest first",
        OfStore,
        Excepted(IN_WORDS),
    ),
    (
        "query by words, one store, newest first",
        OfStore,
        Excepted(IN_WORDS),
    ),
    ("matching orders", Excepted(ON_ONE_NODE), Excepted(IN_WORDS)),
];

/// Returns the name of each statement, its place on Citus nodes, and its place among hash
/// partitions.
fn listed() -> Vec<(&'static str, StatementKind, StatementKind)> {
    let same = PLACES
        .iter()
        .flat_map(|(kind, names)| names.iter().map(|name| (*name, *kind, *kind)));
    same.chain(DIFFERENT_PLACES).collect()
}

/// Returns the plan of `statement` without running it.
fn planned(connection: &mut PgConnection, statement: &dyn QueryFragment<Pg>) -> String {
    let lines: Vec<String> = Explain("EXPLAIN (COSTS OFF) ", statement)
        .load(connection)
        .unwrap();
    lines.join("\n")
}

/// Compares each statement's plan, as read by `found`, with its `place` in the list.
pub(crate) fn check(
    connection: &mut PgConnection,
    place: fn(&(&str, StatementKind, StatementKind)) -> StatementKind,
    found: fn(&str) -> StatementKind,
) {
    let statements = listed();
    let mut names = BTreeSet::new();
    samples().for_each(|name, statement| {
        assert!(
            names.insert(name),
            "{name} is not the name of two statements"
        );
        let listed = statements.iter().find(|listed| listed.0 == name);
        let expected = place(listed.unwrap_or_else(|| panic!("{name} is not in the list")));
        if matches!(expected, StatementKind::Excepted(_)) {
            return;
        }
        let plan = planned(connection, statement);
        assert_eq!(found(&plan), expected, "{name}\n{plan}");
    });
    assert_eq!(
        names.len(),
        statements.len(),
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
            'production_records', 'open_batch_items', 'skipped_counters'] LOOP
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
