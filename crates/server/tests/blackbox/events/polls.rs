//! Many calls that wait for events.

use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{EVENTS, read, sequences};
use crate::common::{Connection, Server, Site, TIMEOUT, on_both_databases, wait_for};
use crate::memory::allow_connections;

on_both_databases!(waiting_calls_need_no_threads_of_their_own);

const POLLS: usize = 1000;
/// Calls that begin concurrently: below the limit of concurrent calls, so that none is refused.
const CONCURRENT_POLLS: usize = 50;
/// Maximum number of additional threads, such as database readers.
const MORE_THREADS: usize = 40;

fn threads(server: &Server) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Threads:"));
    line.unwrap().trim().parse().unwrap()
}

/// All calls must arrive while the first calls still wait, so the cases do not run concurrently.
static ALONE: Mutex<()> = Mutex::new(());

fn waiting_calls_need_no_threads_of_their_own(site: &Site) {
    let _alone = ALONE.lock();
    allow_connections();
    site.import_catalog();
    let limit = POLLS.to_string();
    let mut server = site.serve_with(&[("PRESSLINE__EVENTS__WAITING_POLLS", &limit)]);
    let client = site.store(&server, &[]);
    assert_eq!(sequences(&read(&client, &json!({})).ok()), [0; 0]);
    let before = threads(&server);
    let begin = || {
        let request = json!({ "waitSeconds": 25 });
        let mut connection = Connection::open(client.address).unwrap();
        let request = client.request_to(EVENTS, request.to_string());
        connection.begin(&request).unwrap();
        connection
    };
    let mut polls: Vec<Connection> = Vec::new();
    // A further call is refused when all calls wait.
    let probe = json!({ "waitSeconds": 1 });
    wait_for("all calls to wait", TIMEOUT * 4, || {
        // Repeats calls that were refused or timed out.
        let mut begun = 0;
        for poll in polls
            .iter_mut()
            .filter(|poll| poll.is_answered())
            .take(CONCURRENT_POLLS)
        {
            *poll = begin();
            begun += 1;
        }
        let further = (POLLS - polls.len()).min(CONCURRENT_POLLS - begun);
        polls.extend((0..further).map(|_| begin()));
        if begun + further > 0 {
            // This call is served after the repeated calls.
            read(&client, &json!({}));
            return None;
        }
        read(&client, &probe)
            .text()
            .contains("wait for events")
            .then_some(())
    });
    let waiting = threads(&server);
    assert!(
        waiting <= before + MORE_THREADS,
        "{before} threads, then {waiting}"
    );
    let stopped = Instant::now();
    server.terminate();
    // Each call gets a response, however long the server takes for all of them.
    let ends = polls.iter_mut().map(|poll| poll.read().unwrap());
    let ends: Vec<Value> = ends.map(|response| response.ok()).collect();
    assert!(ends.iter().all(|page| sequences(page).is_empty()));
    assert!(stopped.elapsed() < Duration::from_secs(20));
    assert_eq!(server.wait().code(), Some(0));
}
