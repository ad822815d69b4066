//! Stores that send orders to a cluster, and check that each acknowledged order is stored once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pressline_testkit::{Citus, CitusDatabase};
use serde_json::{Value, json};

use crate::common::{Client, Response, Server, Site, TIMEOUT, assert_error, order, wait_for};
use crate::failure::stored_numbers;

/// Number of worker nodes of a cluster.
pub(super) const WORKERS: usize = 2;
const STORES_OF_WORKER: usize = 2;
/// Threads per store that send orders.
const WRITERS_OF_STORE: usize = 2;
/// Number of orders that each store must get acknowledged, or of refused calls, before the next
/// step.
const CALLS: usize = 10;

pub(super) struct Shop {
    pub(super) client: Client,
    /// Port of its worker.
    pub(super) worker: String,
    /// Whether its worker may be down, so that calls may get 503.
    pub(super) may_be_refused: AtomicBool,
    refusals: AtomicUsize,
    /// Number of each acknowledged order, by order id.
    acknowledged: Mutex<BTreeMap<String, String>>,
    /// Longest call while the worker was up.
    pub(super) longest: Mutex<Duration>,
}

impl Shop {
    fn new(client: Client, worker: String) -> Self {
        Self {
            client,
            worker,
            may_be_refused: AtomicBool::new(false),
            refusals: AtomicUsize::new(0),
            acknowledged: Mutex::default(),
            longest: Mutex::default(),
        }
    }

    /// Creates orders, each until it is acknowledged, and searches for them.
    pub(super) fn send_orders(&self, writer: usize, ends: &AtomicBool) {
        let mut number = 0;
        while !ends.load(Ordering::SeqCst) {
            let name = format!("writer{writer}-order{number}");
            let Some(created) = self.call("create", &order(&name)) else {
                continue;
            };
            let made = created.order();
            let made = made["serviceOrderId"].as_str().unwrap().to_owned();
            self.acknowledged.lock().unwrap().insert(name.clone(), made);
            if let Some(found) = self.call("search", &json!({ "searchKey": name })) {
                assert_eq!(found.ok()["data"].as_array().unwrap().len(), 1, "{name}");
            }
            number += 1;
        }
    }

    /// Returns the response; `None` for 503, allowed only while the worker may be down, and for
    /// 429, because other writers search.
    fn call(&self, operation: &str, body: &Value) -> Option<Response> {
        let may_be_refused = || self.may_be_refused.load(Ordering::SeqCst);
        let was_there = !may_be_refused();
        let begin = Instant::now();
        let response = self.client.call(operation, body);
        if response.status == 429 {
            return None;
        }
        if response.status == 503 {
            assert_error(&response, 503, "unavailable");
            assert!(may_be_refused(), "{response}");
            self.refusals.fetch_add(1, Ordering::SeqCst);
            return None;
        }
        if was_there && !may_be_refused() {
            let mut longest = self.longest.lock().unwrap();
            *longest = begin.elapsed().max(*longest);
        }
        Some(response)
    }

    pub(super) fn orders(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    pub(super) fn refusals(&self) -> usize {
        self.refusals.load(Ordering::SeqCst)
    }

    /// Asserts that each acknowledged order is stored once, with its number, and that no number was
    /// used twice. The last order of a writer may be stored without acknowledgement.
    pub(super) fn check_stored(&self) {
        let stored = stored_numbers(&self.client);
        let acknowledged = self.acknowledged.lock().unwrap();
        for (name, number) in acknowledged.iter() {
            assert_eq!(stored.get(name), Some(&vec![number.clone()]), "{name}");
        }
        assert!(stored.len() <= acknowledged.len() + WRITERS_OF_STORE);
        let numbers: BTreeSet<&String> = stored.values().flatten().collect();
        assert_eq!(numbers.len(), stored.len(), "a number was used twice");
    }
}

/// Waits until `count` has grown by [`CALLS`] for each of `shops`.
pub(super) fn wait_for_calls(what: &str, shops: &[&Shop], count: fn(&Shop) -> usize) {
    let before: Vec<usize> = shops.iter().map(|shop| count(shop)).collect();
    wait_for(what, TIMEOUT, || {
        let mut counts = shops.iter().zip(&before);
        let grown = counts.all(|(shop, before)| count(shop) >= before + CALLS);
        grown.then_some(())
    });
}

/// Creates stores until each worker has [`STORES_OF_WORKER`] stores.
pub(super) fn open_shops(site: &Site, server: &Server, database: &CitusDatabase) -> Vec<Shop> {
    let mut shops: Vec<Shop> = Vec::new();
    while shops.len() < WORKERS * STORES_OF_WORKER {
        let client = site.store(server, &[]);
        let worker = database.port_of("orders", &client.store).unwrap();
        let on_worker = shops.iter().filter(|shop| shop.worker == worker).count();
        if on_worker < STORES_OF_WORKER {
            shops.push(Shop::new(client, worker));
        }
    }
    shops
}

/// Ends the load when dropped, also if a check fails; otherwise the scope would wait forever.
struct EndOfLoad<'a>(&'a AtomicBool);

impl Drop for EndOfLoad<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Sends orders of all `shops` while `work` runs.
pub(super) fn under_load(shops: &[Shop], work: impl FnOnce()) {
    let ends = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = EndOfLoad(&ends);
        for shop in shops {
            let ends = &ends;
            for writer in 0..WRITERS_OF_STORE {
                scope.spawn(move || shop.send_orders(writer, ends));
            }
        }
        work();
    });
}

/// Starts a server on a new distributed database of `cluster`.
pub(super) fn serve(cluster: &Citus) -> (CitusDatabase, Site, Server) {
    let database = cluster.create_database().unwrap();
    let site = Site::elsewhere(database.url());
    site.run(&["migrate", "--distribute"]).ok();
    site.import_catalog();
    // A busy machine alone must not cause a 503.
    let server = site.serve_with(&[("PRESSLINE__DATABASE__POOL_WAIT_MS", "2000")]);
    (database, site, server)
}
