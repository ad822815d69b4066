//! Pins the query plan of a store's event feed: by primary key, at the same cost for any sequence.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use pressline_store_postgres::test_support::{feed, identity_feed};

use crate::Explain;
use crate::orders::{Filled, STORE, filled, filled_without_statistics};

/// Ten events per order: 100,000 per store.
const EVENTS: &str = "
    INSERT INTO event_counters (store_id, last_sequence) SELECT store_id, 100000 FROM stores;
    INSERT INTO order_events (store_id, sequence, order_uuid, version, happened_at, kind, actor, moves)
    SELECT store_id, 10 * place - 9 + event, id, 1 + event, 0,
        CASE event WHEN 0 THEN 'order.created' ELSE 'order.held' END, 'service', '[]'
    FROM (SELECT *, row_number() OVER (PARTITION BY store_id ORDER BY id) AS place FROM orders) AS placed
    CROSS JOIN generate_series(0, 9) AS event";

/// Returns the plan of a page of 500 events after the sequence `after`, with buffer counts.
fn page(
    filled: &mut Filled,
    after: i64,
    types: Option<&[&'static str]>,
    whole_orders: bool,
) -> String {
    let explain = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) ";
    let connection = &mut filled.connection;
    let lines: Vec<String> = if whole_orders {
        Explain(explain, feed(STORE, after, types)).load(connection)
    } else {
        Explain(explain, identity_feed(STORE, after, types)).load(connection)
    }
    .unwrap();
    lines.join("\n")
}

/// Returns the number of pages that a plan has read, from the first line with buffers.
fn pages_read(plan: &str) -> u32 {
    let line = plan.lines().find(|line| line.contains("Buffers: shared"));
    let numbers = line.unwrap().split(' ').filter_map(|part| {
        let (name, number) = part.split_once('=')?;
        ["hit", "read"]
            .contains(&name)
            .then(|| number.parse::<u32>().unwrap())
    });
    numbers.sum()
}

#[test]
fn a_page_of_events_costs_the_same_at_any_sequence() {
    for (mut filled, statistics) in [
        (filled(), "ANALYZE order_events, event_counters"),
        (filled_without_statistics(), "SELECT 1"),
    ] {
        filled.connection.batch_execute(EVENTS).unwrap();
        filled.connection.batch_execute(statistics).unwrap();
        let held: &[&str] = &["order.held"];
        for (types, whole_orders) in [
            (None, true),
            (None, false),
            (Some(held), true),
            (Some(held), false),
        ] {
            let plans =
                [0, 50_000, 99_000].map(|after| page(&mut filled, after, types, whole_orders));
            for plan in &plans {
                assert!(
                    plan.contains("Index Scan using order_events_pkey"),
                    "{plan}"
                );
                assert!(!plan.contains("Seq Scan on order"), "{plan}");
                let (first, pages) = (pages_read(&plans[0]), pages_read(plan));
                assert!(
                    10 * pages <= 12 * first,
                    "{first} pages, then {pages}\n{plan}"
                );
            }
        }
    }
}
