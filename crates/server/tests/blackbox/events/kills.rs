//! Servers are killed while a store writes, polls its events and receives webhooks.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::EVENTS;
use crate::common::{
    Client, Receiver, Response, Server, Site, TIMEOUT, order, permitting, random_below, try_send,
    update, wait_for,
};

/// Environment variable with the number of kills.
const KILLS_VARIABLE: &str = "PRESSLINE_TEST_FEED_KILLS";
/// Default of [`KILLS_VARIABLE`].
const KILLS: usize = 1;
const WRITERS: usize = 4;
/// Acknowledged changes before each kill, and after the last kill.
const CHANGES: usize = 40;
/// Number of endpoints. All of them accept everything.
const ENDPOINTS: usize = 2;
/// Maximum number of events sent again per kill and endpoint.
const REPEATS: usize = 8;
/// Time limit for the expiry of a killed server's lease, beside other tests.
const LEASE: Duration = Duration::from_secs(90);

/// A change acknowledged by a response.
struct Acknowledged {
    order_id: String,
    version: u64,
    kind: &'static str,
}

struct Shop {
    client: Client,
    /// Current addresses of the servers.
    addresses: Mutex<Vec<SocketAddr>>,
    acknowledged: Mutex<Vec<Acknowledged>>,
    /// Writers pause when this number of changes is acknowledged.
    budget: AtomicUsize,
    /// Number of calls without a response: their changes may have been made.
    unanswered: AtomicUsize,
    /// Whether the writers must stop.
    ended: AtomicBool,
    /// Number of running writers.
    writers: AtomicUsize,
}

/// Stops the writers and then the reader when dropped, also if the test fails.
struct Ending<'a>(&'a AtomicBool);

/// Counts a writer until it ends, also if it fails.
struct Writing<'a>(&'a AtomicUsize);

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Shop {
    /// Calls a random server; `None` without a response.
    fn call(&self, path: &str, body: &Value) -> Option<Response> {
        let addresses = self.addresses.lock().unwrap().clone();
        let address = addresses[random_below(addresses.len())];
        let request = self.client.request_to(path, body.to_string());
        let response = try_send(address, &request).ok();
        if response.is_none() {
            // The server may be starting.
            thread::sleep(Duration::from_millis(20));
        }
        response
    }

    /// Changes an order and records the acknowledgement. Returns `false` if there is none.
    fn change(&self, order_id: &str, kind: &'static str, call: &str, body: &Value) -> bool {
        let response = self.call(&format!("/app/v1/orders/{call}"), body);
        let Some(response) = response.filter(|response| response.status != 503) else {
            self.unanswered.fetch_add(1, Ordering::SeqCst);
            return false;
        };
        self.acknowledged.lock().unwrap().push(Acknowledged {
            order_id: order_id.to_owned(),
            version: response.order()["version"].as_u64().unwrap(),
            kind,
        });
        true
    }

    fn write(&self, writer: usize) {
        let _writing = Writing(&self.writers);
        let mut number = 0;
        while !self.ended.load(Ordering::SeqCst) {
            if self.count() >= self.budget.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            let order_id = format!("K-{writer}-{number}");
            number += 1;
            let named = json!({ "order_id": order_id });
            let mut note = update(&order_id);
            note["production_note"] = json!("Gift");
            // Each change requires the change before.
            let _all = self.change(&order_id, "order.created", "create", &order(&order_id))
                && self.change(&order_id, "order.held", "hold", &named)
                && self.change(&order_id, "order.released", "release", &named)
                && self.change(&order_id, "order.updated", "update", &note)
                && self.change(&order_id, "order.cancelled", "cancel", &named);
        }
    }

    /// Polls events until the writers have ended. Returns all events.
    fn follow(&self) -> Vec<Value> {
        let mut events: Vec<Value> = Vec::new();
        loop {
            let ended = self.writers.load(Ordering::SeqCst) == 0;
            let passed = events.len() as u64;
            let request = json!({
                "afterSequence": passed, "limit": 500, "include": "changes",
                "waitSeconds": u8::from(!ended)
            });
            let response = self.call(EVENTS, &request);
            let Some(response) = response.filter(|response| response.status != 503) else {
                continue;
            };
            let page = response.ok();
            for event in page["data"].as_array().unwrap() {
                // There is no gap, so no event can appear behind the reader.
                assert_eq!(event["sequence"], events.len() as u64 + 1, "{event}");
                events.push(event.clone());
            }
            if ended && page["lastSequence"] == events.len() as u64 {
                return events;
            }
        }
    }

    fn count(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    /// Lets the writers make changes. Returns when half of them are acknowledged.
    fn until_more_is_acknowledged(&self) {
        let wanted = self.count() + CHANGES;
        self.budget.store(wanted + CHANGES, Ordering::SeqCst);
        wait_for("more changes", TIMEOUT, || {
            (self.count() >= wanted).then_some(())
        });
    }

    /// Asserts that `events` match the acknowledged changes and the calls without a response.
    fn check(&self, events: &[Value]) {
        let mut found: BTreeMap<(String, u64), Vec<String>> = BTreeMap::new();
        for event in events {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let (data, kind) = (&event["data"], text(&event["type"]));
            let version = data["version"].as_u64().unwrap();
            let change = (text(&data["orderId"]), version);
            found.entry(change).or_default().push(kind);
        }
        let acknowledged = self.acknowledged.lock().unwrap();
        for change in acknowledged.iter() {
            let kinds = found.get(&(change.order_id.clone(), change.version));
            let wanted = vec![change.kind.to_owned()];
            assert_eq!(kinds, Some(&wanted), "{}", change.order_id);
        }
        assert_eq!(found.len(), events.len(), "no change is there twice");
        let unanswered = self.unanswered.load(Ordering::SeqCst);
        assert!(events.len() <= acknowledged.len() + unanswered);
    }
}

/// Starts a server that may send to `receivers`. Its leases expire within 16 seconds after its end.
fn serve(site: &Site, receivers: &[Receiver]) -> Server {
    let mut command = site.command();
    command.arg("serve").envs(permitting(receivers));
    command.env("PRESSLINE__WEBHOOKS__TIMEOUT_SECONDS", "1");
    Server::start(command)
}

/// Creates an endpoint for each of `receivers`.
fn create_endpoints(client: &Client, receivers: &[Receiver]) {
    for receiver in receivers {
        let body = json!({ "url": receiver.url() }).to_string();
        let create = client.request_to("/app/v1/webhooks/create", body);
        client.send(&create).ok();
    }
}

/// Waits until each receiver has more attempts than in `before`.
fn until_more_arrives(receivers: &[Receiver], before: &[usize]) {
    wait_for("more attempts", LEASE, || {
        let mut pairs = receivers.iter().zip(before);
        let all = pairs.all(|(receiver, before)| receiver.count() > *before);
        all.then_some(())
    });
}

/// Waits until each receiver has got all `events`, and checks the number of repeats.
fn check_receivers(receivers: &[Receiver], events: &[Value], kills: usize) {
    let ids = events.iter().map(|event| event["id"].as_str().unwrap());
    let ids: BTreeSet<&str> = ids.collect();
    for receiver in receivers {
        let attempts = wait_for("all events", LEASE, || {
            let attempts = receiver.attempts();
            let found: BTreeSet<&str> = attempts.iter().map(|attempt| attempt.id()).collect();
            (found == ids).then_some(attempts)
        });
        let repeated = attempts.len() - ids.len();
        assert!(repeated <= REPEATS * kills, "{repeated} attempts again");
    }
}

/// Runs `count` servers. Kills the last server several times and starts another in its place.
fn acknowledged_changes_are_events_and_sent_though_a_server_is_killed(site: &Site, count: usize) {
    site.import_catalog();
    let receivers: Vec<Receiver> = (0..ENDPOINTS).map(|_| Receiver::accepting()).collect();
    let mut servers: Vec<Server> = (0..count).map(|_| serve(site, &receivers)).collect();
    let kills = env::var(KILLS_VARIABLE).map_or(KILLS, |kills| kills.parse().unwrap());
    let shop = Shop {
        client: site.store(&servers[0], &[]),
        addresses: Mutex::new(servers.iter().map(|server| server.address).collect()),
        acknowledged: Mutex::default(),
        budget: AtomicUsize::new(0),
        unanswered: AtomicUsize::new(0),
        ended: AtomicBool::new(false),
        writers: AtomicUsize::new(WRITERS),
    };
    create_endpoints(&shop.client, &receivers);
    let events = thread::scope(|scope| {
        let ending = Ending(&shop.ended);
        let shop = &shop;
        for writer in 0..WRITERS {
            scope.spawn(move || shop.write(writer));
        }
        let reader = scope.spawn(|| shop.follow());
        for _ in 0..kills {
            shop.until_more_is_acknowledged();
            servers.pop().unwrap().kill();
            let sent: Vec<usize> = receivers.iter().map(Receiver::count).collect();
            servers.push(serve(site, &receivers));
            let addresses = servers.iter().map(|server| server.address).collect();
            *shop.addresses.lock().unwrap() = addresses;
            // So that each kill can interrupt deliveries.
            until_more_arrives(&receivers, &sent);
        }
        shop.until_more_is_acknowledged();
        drop(ending);
        reader.join().unwrap()
    });
    shop.check(&events);
    check_receivers(&receivers, &events, kills);
}

#[test]
fn sqlite_acknowledged_changes_become_one_event_each_despite_a_killed_server() {
    let site = Site::sqlite();
    acknowledged_changes_are_events_and_sent_though_a_server_is_killed(&site, 1);
}

#[test]
fn postgres_acknowledged_changes_become_one_event_each_despite_a_killed_server() {
    let site = Site::postgres();
    acknowledged_changes_are_events_and_sent_though_a_server_is_killed(&site, 2);
}
