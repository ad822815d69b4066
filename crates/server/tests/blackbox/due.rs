//! Many orders fall due together while a server is killed.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Client, Server, Site, order, wait_for};

/// Environment variable with the number of orders.
const VARIABLE: &str = "PRESSLINE_TEST_DUE_ORDERS";
/// Default of [`VARIABLE`].
const ORDERS: usize = 500;
/// Number of threads that create or read orders.
const CALLERS: usize = 6;
/// Time limit per thousand orders, enough for a test build on a busy machine.
const LIMIT_OF_THOUSAND: Duration = Duration::from_secs(60);

/// Sets `due_at` of all waiting items to the distant past.
const END_WINDOWS: &str = "UPDATE order_states \
    SET due_at = 1, items = regexp_replace(items, '[0-9]{13}', '1', 'g') \
    WHERE version = 1 AND due_at IS NOT NULL";

fn orders() -> usize {
    let given = std::env::var(VARIABLE).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(ORDERS)
}

/// Calls `work` with each number below `count`, in [`CALLERS`] threads.
fn each(count: usize, work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for caller in 0..CALLERS {
            let work = &work;
            scope.spawn(move || (caller..count).step_by(CALLERS).for_each(work));
        }
    });
}

fn order_id(number: usize) -> String {
    format!("due-{number}")
}

fn history(client: &Client, order_id: &str) -> Vec<Value> {
    let body = json!({ "order_id": order_id });
    // On a busy machine, the service may refuse a call, which stores then repeat.
    let events = wait_for("the history", LIMIT_OF_THOUSAND, || {
        let response = client.call("history", &body);
        (response.status != 503).then(|| response.ok())
    });
    events["data"].as_array().unwrap().clone()
}

/// Creates the order `probe` and returns the sequence of its event: the number of the store's
/// events so far.
fn events_so_far(client: &Client, probe: usize) -> usize {
    let name = format!("probe-{probe}");
    client.create(&order(&name));
    let sequence = history(client, &name)[0]["sequence"].as_u64().unwrap();
    usize::try_from(sequence).unwrap()
}

/// Waits until `moves` orders have moved. Returns the number of the next probe order.
fn wait_for_moves(client: &Client, orders: usize, moves: usize, first_probe: usize) -> usize {
    let mut probe = first_probe;
    let limit = LIMIT_OF_THOUSAND * u32::try_from(1 + orders / 1000).unwrap();
    wait_for("orders to be moved", limit, || {
        let events = events_so_far(client, probe);
        probe += 1;
        (events - orders - probe >= moves).then_some(probe)
    })
}

#[test]
fn postgres_orders_due_at_once_are_moved_once_though_a_server_is_killed() {
    let site = Site::postgres();
    site.import_catalog();
    let servers: [Server; 2] = [site.serve(), site.serve()];
    let client = site.store(&servers[1], &[]);
    let count = orders();
    each(count, |number| {
        client.create(&order(&order_id(number)));
    });
    site.sql(END_WINDOWS);
    let probes = wait_for_moves(&client, count, count / 2, 0);
    // Half of the orders have moved.
    let [killed, _running] = servers;
    killed.kill();
    // The minute in which the killed server's orders are reserved for it is over. The probes fall
    // due as well.
    site.sql(END_WINDOWS);
    wait_for_moves(&client, count, count + probes, probes);
    let sequences = Mutex::new(BTreeSet::new());
    each(count, |number| {
        let events = history(&client, &order_id(number));
        let kinds: Vec<&str> = events
            .iter()
            .map(|event| event["type"].as_str().unwrap())
            .collect();
        // Each order moved exactly once.
        assert_eq!(kinds, ["order.status_changed", "order.created"]);
        assert_eq!(events[0]["actor"], "service");
        let own = events
            .iter()
            .map(|event| event["sequence"].as_u64().unwrap());
        sequences.lock().unwrap().extend(own);
    });
    let mut sequences = sequences.into_inner().unwrap();
    assert_eq!(sequences.len(), 2 * count);
    // The other sequences belong to the probes.
    let mut probe = 0;
    while sequences.len() < usize::try_from(*sequences.last().unwrap()).unwrap() {
        let events = history(&client, &format!("probe-{probe}"));
        sequences.extend(
            events
                .iter()
                .map(|event| event["sequence"].as_u64().unwrap()),
        );
        probe += 1;
    }
    // The sequences have no gap.
    let all: Vec<u64> = sequences.iter().copied().collect();
    let wanted: Vec<u64> = (1..=all.len() as u64).collect();
    assert_eq!(all, wanted);
}
