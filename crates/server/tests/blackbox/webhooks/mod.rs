//! Webhooks end to end: requests, their times, and the delivery log.

mod dead;

use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{
    Client, Finished, Receiver, Response, Server, Site, assert_error, on_both_databases, order,
    permitting, status, wait_for,
};

on_both_databases!(
    an_endpoint_gets_every_event_signed_and_once,
    a_failed_event_is_retried_and_delays_no_other_order,
    a_dead_endpoint_pauses_and_stores_no_row_per_event,
    a_410_response_disables_the_endpoint_and_adds_an_event,
    a_secret_is_rotated_without_a_gap,
    a_receiver_at_a_forbidden_address_gets_no_connection,
    a_test_event_is_sent_also_to_a_disabled_endpoint,
    the_print_shops_endpoint_receives_events_of_later_stores,
    a_killed_server_repeats_only_events_in_flight,
);

const LIMIT: Duration = Duration::from_secs(30);
/// Number of killed servers.
const CRASHES: usize = 12;
/// Maximum life of each of the [`CRASHES`] servers. It is killed earlier when the receiver gets an
/// event.
const LIFE: Duration = Duration::from_millis(700);

/// Starts a server that may call `receiver`, and creates a store.
fn open(site: &Site, receiver: &Receiver) -> (Server, Client) {
    site.import_catalog();
    let server = serve(site, receiver);
    let client = site.store(&server, &[]);
    (server, client)
}

fn serve(site: &Site, receiver: &Receiver) -> Server {
    let mut command = site.command();
    command.arg("serve").envs(permitting([receiver]));
    // The lease of a killed server expires after this time plus 15 seconds.
    command.env("PRESSLINE__WEBHOOKS__TIMEOUT_SECONDS", "4");
    Server::start(command)
}

fn call(client: &Client, operation: &str, body: &Value) -> Response {
    let path = format!("/app/v1/webhooks/{operation}");
    client.send(&client.request_to(&path, body.to_string()))
}

fn endpoint(client: &Client, receiver: &Receiver) -> (String, String) {
    let made = call(client, "create", &json!({ "url": receiver.url() })).ok();
    let text = |name: &str| made["data"][name].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

fn shown(client: &Client, id: &str) -> Value {
    let listed = call(client, "list", &json!({ "webhookId": id })).ok();
    listed["data"][0].clone()
}

fn deliveries(client: &Client, filter: &Value) -> Vec<Value> {
    let found = call(client, "deliveries/search", filter).ok();
    found["data"].as_array().unwrap().clone()
}

fn create_orders(client: &Client, count: usize) {
    for number in 0..count {
        client.create(&order(&format!("W-{number}")));
    }
}

/// Waits until `count` attempts have arrived.
fn arrived(receiver: &Receiver, count: usize) {
    wait_for("attempts", LIMIT, || {
        (receiver.attempts().len() >= count).then_some(())
    });
}

fn an_endpoint_gets_every_event_signed_and_once(site: &Site) {
    let receiver = Receiver::accepting();
    let (_server, client) = open(site, &receiver);
    // This order is older than the endpoint, so it is not delivered.
    client.create(&order("before"));
    let (id, secret) = endpoint(&client, &receiver);
    create_orders(&client, 12);
    client.call("hold", &json!({ "order_id": "W-3" })).ok();
    // Twelve created orders and a hold.
    arrived(&receiver, 13);
    wait_for("an empty subscription", LIMIT, || {
        (shown(&client, &id)["lag"]["events"] == 0).then_some(())
    });
    let attempts = receiver.attempts();
    let feed = json!({ "afterSequence": 1 }).to_string();
    let feed = client.send(&client.request_to("/app/v1/events/search", feed));
    let feed = feed.ok();
    let by_id: BTreeMap<String, Value> = attempts
        .iter()
        .map(|attempt| (attempt.id().to_owned(), attempt.event()))
        .collect();
    assert_eq!((attempts.len(), by_id.len()), (13, 13));
    for event in feed["data"].as_array().unwrap() {
        assert_eq!(by_id.get(event["id"].as_str().unwrap()), Some(event));
    }
    assert!(attempts.iter().all(|attempt| attempt.is_signed_by(&secret)));
    assert!(attempts.iter().all(|attempt| attempt.path == "/hook"));
    let log = deliveries(&client, &json!({ "webhookId": id, "size": 100 }));
    assert_eq!(log.len(), 13);
    assert!(log.iter().all(|delivery| delivery["status"] == "succeeded"));
}

fn a_failed_event_is_retried_and_delays_no_other_order(site: &Site) {
    let receiver = Receiver::start(|attempt| {
        let is_poison = attempt.event()["data"]["orderId"] == "W-2";
        status(if is_poison { 500 } else { 200 })
    });
    let (_server, client) = open(site, &receiver);
    let (id, _) = endpoint(&client, &receiver);
    create_orders(&client, 6);
    arrived(&receiver, 6);
    let failed = json!({ "webhookId": id, "status": "failed" });
    let failed = wait_for("a failed attempt", LIMIT, || {
        deliveries(&client, &failed).pop()
    });
    assert_eq!(failed["orderId"], "W-2", "{failed}");
    assert_eq!(
        (&failed["attempt"], &failed["httpStatus"]),
        (&json!(1), &json!(500))
    );
    assert_eq!(failed["error"], "status");
    assert!(failed["nextAttemptAt"].is_string(), "{failed}");
    let lag = &shown(&client, &id)["lag"];
    assert_eq!(lag["events"], 1, "{lag}");
    // The second attempt follows after about 5 seconds, and supersedes the first attempt.
    arrived(&receiver, 7);
    let of_order = json!({ "order_id": "W-2" });
    let log = wait_for("a second attempt", LIMIT, || {
        Some(deliveries(&client, &of_order)).filter(|log| log.len() == 2)
    });
    assert_eq!(
        (&log[0]["attempt"], &log[1]["attempt"]),
        (&json!(2), &json!(1))
    );
    // Only the latest attempt has a next attempt.
    assert_eq!(log[1]["nextAttemptAt"], Value::Null);
}

fn a_dead_endpoint_pauses_and_stores_no_row_per_event(site: &Site) {
    let receiver = Receiver::start(|_| status(500));
    let (_server, client) = open(site, &receiver);
    let (id, _) = endpoint(&client, &receiver);
    create_orders(&client, 40);
    let paused = wait_for("a pause", LIMIT, || {
        let shown = shown(&client, &id);
        shown["pausedUntil"].is_string().then_some(shown)
    });
    assert_eq!(paused["enabled"], true);
    assert!(paused["failingSince"].is_string(), "{paused}");
    // All events still wait for the endpoint.
    assert_eq!(paused["lag"]["events"], 40, "{paused}");
    // A batch of eight, then a probe every few seconds.
    assert!(receiver.attempts().len() <= 10);
}

fn a_410_response_disables_the_endpoint_and_adds_an_event(site: &Site) {
    let receiver = Receiver::start(|_| status(410));
    let (_server, client) = open(site, &receiver);
    let (id, _) = endpoint(&client, &receiver);
    client.create(&order("W-0"));
    // The call waits up to 20 s for the event.
    let body = json!({ "types": ["webhook.disabled"], "waitSeconds": 20 }).to_string();
    let page = client
        .send(&client.request_to("/app/v1/events/search", body))
        .ok();
    let event = &page["data"][0];
    assert_eq!(event["data"]["endpointId"], json!(id), "{page}");
    assert_eq!(
        (&event["data"]["reason"], &event["data"]["actor"]),
        (&json!("gone"), &json!("service"))
    );
    let shown = shown(&client, &id);
    assert_eq!(
        (&shown["enabled"], &shown["disabledReason"]),
        (&json!(false), &json!("gone"))
    );
    // Delivery resumes where it stopped: the event is tried again.
    let before = receiver.attempts().len();
    call(
        &client,
        "enable",
        &json!({ "webhookId": id, "from": "stopped" }),
    )
    .ok();
    arrived(&receiver, before + 1);
}

fn a_secret_is_rotated_without_a_gap(site: &Site) {
    let receiver = Receiver::accepting();
    let (_server, client) = open(site, &receiver);
    let (id, old) = endpoint(&client, &receiver);
    let rotated = call(&client, "rotate-secret", &json!({ "webhookId": id })).ok();
    let new = rotated["data"]["secret"].as_str().unwrap().to_owned();
    assert!(rotated["data"]["oldSecretUntil"].is_string(), "{rotated}");
    client.create(&order("W-0"));
    arrived(&receiver, 1);
    // While the old secret is valid, both secrets sign.
    let both = &receiver.attempts()[0];
    assert!(both.is_signed_by(&old) && both.is_signed_by(&new));
    // Ends all older secrets immediately.
    let now = json!({ "webhookId": id, "keepOldSeconds": 0 });
    let newest = call(&client, "rotate-secret", &now).ok()["data"]["secret"].clone();
    client.create(&order("W-1"));
    arrived(&receiver, 2);
    let last = &receiver.attempts()[1];
    assert!(last.is_signed_by(newest.as_str().unwrap()));
    assert!(!last.is_signed_by(&new) && !last.is_signed_by(&old));
}

fn a_receiver_at_a_forbidden_address_gets_no_connection(site: &Site) {
    let canary = Receiver::accepting();
    site.import_catalog();
    let port = canary.address.port();
    // The port is permitted, but no network is.
    let server = site.serve_with(&[("PRESSLINE__EGRESS__PORTS", &port.to_string())]);
    let client = site.store(&server, &[]);
    for (host, code) in [
        ("127.0.0.1", "address_not_allowed"),
        ("2130706433", "address_not_allowed"),
        ("[::ffff:127.0.0.1]", "address_not_allowed"),
        ("localhost.", "address_not_allowed"),
    ] {
        let url = format!("http://{host}:{port}/hook");
        let refused = call(&client, "create", &json!({ "url": url }));
        let error = assert_error(&refused, 400, "validation_failed");
        assert!(error.has("url", code), "{url}: {:?}", error.errors);
    }
    // A name is resolved only at each attempt.
    let host = hostname_of_loopback();
    let url = format!("http://{host}:{port}/hook");
    let made = call(&client, "create", &json!({ "url": url })).ok();
    client.create(&order("W-0"));
    let log = wait_for("an attempt", LIMIT, || {
        deliveries(&client, &json!({ "webhookId": made["data"]["id"] })).pop()
    });
    assert!(
        matches!(log["error"].as_str(), Some("address_not_allowed" | "dns")),
        "{log}"
    );
    assert!(canary.attempts().is_empty());
}

/// Returns the name of this machine: its address is not globally reachable, or the name is unknown.
fn hostname_of_loopback() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() {
        "no-such-host.invalid".to_owned()
    } else {
        name.to_owned()
    }
}

fn a_test_event_is_sent_also_to_a_disabled_endpoint(site: &Site) {
    let receiver = Receiver::accepting();
    let (_server, client) = open(site, &receiver);
    let (id, secret) = endpoint(&client, &receiver);
    client.create(&order("W-0"));
    let sent = wait_for("a delivery", LIMIT, || {
        deliveries(&client, &json!({ "status": "succeeded" })).pop()
    });
    call(&client, "disable", &json!({ "webhookId": id })).ok();
    // Disabling an endpoint again is a repeated call.
    let again = call(&client, "disable", &json!({ "webhookId": id }));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    let test = call(&client, "test", &json!({ "webhookId": id })).ok();
    assert_eq!(test["data"]["status"], "succeeded", "{test}");
    let attempt = &receiver.attempts()[1];
    assert!(attempt.is_signed_by(&secret));
    assert_eq!(attempt.event()["type"], "webhook.test");
    assert!(
        attempt
            .id()
            .starts_with(&format!("evt_{}_test_", client.store))
    );
    let resend = json!({ "deliveryId": sent["id"] });
    let refused = call(&client, "deliveries/resend", &resend);
    assert_error(&refused, 409, "webhook_disabled");
}

fn the_print_shops_endpoint_receives_events_of_later_stores(site: &Site) {
    let receiver = Receiver::accepting();
    let (server, client) = open(site, &receiver);
    // The command checks the URL, too, so it needs the same settings.
    let run = |name: &str, arguments: [&str; 2]| {
        let mut command = site.command();
        command.envs(permitting([&receiver]));
        command
            .args(["--json", "webhook", name, "--shop"])
            .args(arguments);
        Finished::new(&mut command).json()
    };
    let made = run("create", ["--url", &receiver.url()]);
    let secret = made["secret"].as_str().unwrap().to_owned();
    client.create(&order("W-0"));
    let later = site.store(&server, &[]);
    later.create(&order("W-0"));
    arrived(&receiver, 2);
    let mut stores: Vec<Value> = receiver
        .attempts()
        .iter()
        .map(|attempt| attempt.event()["storeId"].clone())
        .collect();
    stores.sort_by_key(Value::to_string);
    let mut expected = vec![json!(client.store), json!(later.store)];
    expected.sort_by_key(Value::to_string);
    assert_eq!(stores, expected);
    assert!(
        receiver
            .attempts()
            .iter()
            .all(|attempt| attempt.is_signed_by(&secret))
    );
    let id = made["id"].as_str().unwrap();
    let tested = run("test", ["--webhook", id]);
    assert_eq!(tested["status"], "succeeded", "{tested}");
    let latest = site.run(&["--json", "audit", "--limit", "1"]).json();
    let (action, subject) = (&latest[0]["action"], &latest[0]["subject"]);
    assert_eq!((action, subject), (&json!("webhook-tested"), &made["id"]));
    // A store does not see the print shop's endpoints.
    let own = call(&client, "list", &json!({})).ok();
    assert_eq!(own["data"], json!([]));
}

#[test]
fn a_crash_loop_does_not_repeat_an_event_at_each_start() {
    let site = Site::sqlite();
    // Each server is killed before it learns that the event has arrived.
    let receiver = Receiver::start(|_| {
        thread::sleep(LIMIT);
        status(204)
    });
    let (mut server, client) = open(&site, &receiver);
    endpoint(&client, &receiver);
    create_orders(&client, 1);
    arrived(&receiver, 1);
    for _ in 0..CRASHES {
        server.kill();
        server = serve(&site, &receiver);
        let (begin, before) = (Instant::now(), receiver.count());
        while receiver.count() == before && begin.elapsed() < LIFE {
            thread::yield_now();
        }
    }
    // Not every start may repeat the event.
    let attempts = receiver.count();
    assert!(attempts < CRASHES * 3 / 4, "{attempts} attempts");
}

fn a_killed_server_repeats_only_events_in_flight(site: &Site) {
    let receiver = Receiver::accepting();
    let (server, client) = open(site, &receiver);
    let (id, _) = endpoint(&client, &receiver);
    create_orders(&client, 30);
    // Some deliveries are recorded, others are in flight.
    arrived(&receiver, 5);
    server.kill();
    let server = serve(site, &receiver);
    let client = Client {
        address: server.address,
        ..client
    };
    let limit = Duration::from_secs(60);
    wait_for("an empty subscription", limit, || {
        (shown(&client, &id)["lag"]["events"] == 0).then_some(())
    });
    let attempts = receiver.attempts();
    let ids: std::collections::BTreeSet<&str> =
        attempts.iter().map(|attempt| attempt.id()).collect();
    assert_eq!(ids.len(), 30);
    // At most eight events are in flight.
    assert!(attempts.len() <= 38, "{} attempts", attempts.len());
}
