//! Failures: a killed or stopped server, an unavailable database.

use std::collections::{BTreeSet, HashMap};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pressline_testkit::Postgres;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::common::{
    Client, Connection, Request, Site, TIMEOUT, assert_error, on_both_databases, order, try_get,
    try_send, wait_for,
};

on_both_databases!(
    an_acknowledged_order_survives_a_kill,
    a_stopping_server_finishes_running_requests
);

/// Number of clients that create orders while the server is killed.
const WRITERS: usize = 6;

/// Creates orders until a call gets no response because of the kill. Adds the name and number of
/// each acknowledged order to `acknowledged`.
fn create_until_cut_off(
    client: &Client,
    writer: usize,
    acknowledged: &Mutex<Vec<(String, String)>>,
) {
    for i in 0.. {
        let name = format!("writer{writer}-order{i}");
        let request = client.request("create", order(&name).to_string());
        let Ok(response) = try_send(client.address, &request) else {
            return;
        };
        let made = response.order();
        let number = made["serviceOrderId"].as_str().unwrap().to_owned();
        acknowledged.lock().unwrap().push((name, number));
    }
}

/// Returns the order numbers of all stored orders, by order id.
pub(crate) fn stored_numbers(client: &Client) -> HashMap<String, Vec<String>> {
    let mut stored = HashMap::<String, Vec<String>>::new();
    let mut body = json!({ "size": 100 });
    loop {
        let mut page = client.call("search", &body).ok();
        for order in page["data"].as_array().unwrap() {
            let text = |key: &str| order[key].as_str().unwrap().to_owned();
            let numbers = stored.entry(text("orderId")).or_default();
            numbers.push(text("serviceOrderId"));
        }
        if page["pageHasNext"] == false {
            return stored;
        }
        body["cursor"] = page["nextCursor"].take();
    }
}

fn an_acknowledged_order_survives_a_kill(site: &Site) {
    let (server, client) = site.open();
    let acknowledged = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (client, acknowledged) = (&client, &acknowledged);
            scope.spawn(move || create_until_cut_off(client, writer, acknowledged));
        }
        wait_for("some orders", TIMEOUT, || {
            (acknowledged.lock().unwrap().len() >= 60).then_some(())
        });
        server.kill();
    });

    let acknowledged = acknowledged.into_inner().unwrap();
    let server = site.serve();
    let client = Client {
        address: server.address,
        ..client
    };
    let stored = stored_numbers(&client);
    for (name, number) in &acknowledged {
        assert_eq!(stored.get(name), Some(&vec![number.clone()]), "{name}");
    }
    // Per writer, at most the call that was cut off is stored in addition.
    assert!(
        stored.len() <= acknowledged.len() + WRITERS,
        "{} of {}",
        stored.len(),
        acknowledged.len()
    );
    let numbers: BTreeSet<&String> = stored.values().flatten().collect();
    assert_eq!(numbers.len(), stored.len(), "no number is used twice");
    // A client without a response can safely repeat the request.
    let (last, _) = acknowledged.last().unwrap();
    assert!(client.call("create", &order(last)).is_replay());
    let next = client.create(&order("after-the-kill"));
    assert!(!numbers.contains(&next["serviceOrderId"].as_str().unwrap().to_owned()));
}

fn a_stopping_server_finishes_running_requests(site: &Site) {
    finishes_what_runs(site, Signal::TERM);
}

/// Asserts that a server that receives `signal` finishes a request in progress, then exits.
pub(crate) fn finishes_what_runs(site: &Site, signal: Signal) {
    let (mut server, client) = site.open();
    let request = client.request("create", order("in-flight").to_string());
    let mut connection = Connection::open(server.address).unwrap();
    let head = format!(
        "{}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        request.head(),
        request.body.len()
    );
    connection.write(head.as_bytes()).unwrap();
    // The server asks for the body when it has begun to process the request.
    assert!(connection.line().unwrap().contains("100"));
    assert_eq!(connection.line().unwrap(), "");
    // The signal comes while the body is incomplete.
    connection.write(&request.body[..10]).unwrap();
    server.signal(signal);
    wait_for("the port to be closed", TIMEOUT, || {
        TcpStream::connect(server.address).is_err().then_some(())
    });
    // The client is slow: the operators' listener, which has no requests, has stopped long before.
    thread::sleep(Duration::from_secs(1));
    connection.write(&request.body[10..]).unwrap();
    let made = connection.read().unwrap().order();
    let ended = server.wait();
    assert_eq!(ended.code(), Some(0), "{ended}: {}", server.log());

    let server = site.serve();
    let client = Client {
        address: server.address,
        ..client
    };
    assert_eq!(client.stored("in-flight")["id"], made["id"]);
}

#[test]
fn a_stopped_database_is_reported_immediately_and_reconnected() {
    let cluster = Postgres::start().unwrap();
    let site = Site::in_cluster(&cluster);
    let (server, client) = site.open();
    client.create(&order("before"));
    let requests: Vec<Request> = [
        ("create", order("during")),
        ("update", crate::common::update("before")),
        ("search", json!({})),
    ]
    .iter()
    .map(|(operation, body): &(&str, Value)| client.request(operation, body.to_string()))
    .collect();
    cluster.stop().unwrap();
    // The same with more callers than connections.
    thread::scope(|scope| {
        for request in requests.iter().cycle().take(24) {
            let client = &client;
            scope.spawn(move || {
                let begin = Instant::now();
                let response = client.send(request);
                let waited = begin.elapsed();
                assert_error(&response, 503, "unavailable");
                assert!(
                    response
                        .header("Retry-After")
                        .unwrap()
                        .parse::<u64>()
                        .unwrap()
                        > 0
                );
                assert!(waited < Duration::from_secs(3), "{waited:?}");
                for detail in ["postgres", "127.0.0.1", "connection"] {
                    assert!(
                        !response.text().to_lowercase().contains(detail),
                        "{response}"
                    );
                }
            });
        }
    });
    let ready = try_get(server.address, "/readyz").unwrap();
    assert_eq!(ready.status, 503, "{ready}");
    assert_eq!(try_get(server.address, "/livez").unwrap().status, 200);
    // An unknown store gets 503, too: without the database, nobody can tell that it is unknown.
    let unknown = Client {
        store: "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e".to_owned(),
        ..client.clone()
    };
    assert_error(&unknown.call("search", &json!({})), 503, "unavailable");

    cluster.restart().unwrap();
    wait_for(
        "the service to be ready again",
        Duration::from_secs(10),
        || (try_get(server.address, "/readyz").unwrap().status == 200).then_some(()),
    );
    client.call("create", &order("during")).ok();
    assert_eq!(client.found("before"), ["before"]);
    // The log names the cause, which the responses leave out.
    let log = server.log_up_to_now();
    assert!(log.contains("\"status\":503"), "{log}");
}

/// A proxy between the service and its database. It can hold back all bytes, like a network that
/// loses packets without closing a connection.
struct Line {
    port: u16,
    held: Arc<AtomicBool>,
}

impl Line {
    fn to(database: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let line = Self {
            port: listener.local_addr().unwrap().port(),
            held: Arc::default(),
        };
        let held = Arc::clone(&line.held);
        thread::spawn(move || {
            for inner in listener.incoming() {
                let (inner, outer) = (
                    inner.unwrap(),
                    TcpStream::connect(("127.0.0.1", database)).unwrap(),
                );
                for (from, to) in [(&inner, &outer), (&outer, &inner)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let held = Arc::clone(&held);
                    thread::spawn(move || pass(from, to, &held));
                }
            }
        });
        line
    }

    fn hold(&self, held: bool) {
        self.held.store(held, Ordering::SeqCst);
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.hold(false);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, held: &AtomicBool) {
    let mut bytes = [0; 8192];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        // Bytes are delayed and not dropped, because TCP would send them again.
        while held.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
        if to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_silent_database_does_not_block_callers() {
    // A separate cluster, because held connections would block other tests in a shared one.
    let cluster = Postgres::start().unwrap();
    let site = Site::in_cluster(&cluster);
    site.import_catalog();
    let (before, rest) = site.url().rsplit_once(':').unwrap();
    let (port, database) = rest.split_once('/').unwrap();
    let line = Line::to(port.parse().unwrap());
    let url = format!("{before}:{}/{database}", line.port);
    // Both limits are below the 3 s that a caller may wait.
    let server = site.serve_with(&[
        ("PRESSLINE__DATABASE__URL", &url),
        ("PRESSLINE__DATABASE__STATEMENT_TIMEOUT_MS", "1000"),
        ("PRESSLINE__DATABASE__POOL_WAIT_MS", "500"),
    ]);
    let client = site.store(&server, &[]);
    client.create(&order("before"));
    line.hold(true);
    thread::scope(|scope| {
        for i in 0..12 {
            let client = &client;
            scope.spawn(move || {
                let begin = Instant::now();
                let response = client.call("create", &order(&format!("silent-{i}")));
                let waited = begin.elapsed();
                assert_error(&response, 503, "unavailable");
                assert!(waited < Duration::from_secs(3), "{waited:?}");
            });
        }
    });
    // Liveness does not depend on the database.
    assert_eq!(try_get(server.address, "/livez").unwrap().status, 200);
    line.hold(false);
    wait_for("the service to be ready again", TIMEOUT, || {
        (try_get(server.address, "/readyz").unwrap().status == 200).then_some(())
    });
    client.call("create", &order("silent-0")).ok();
}

#[test]
fn servers_of_one_database_return_the_same_orders() {
    let site = Site::empty_postgres();
    // Both servers find an empty database and migrate it concurrently.
    let servers = thread::scope(|scope| {
        let starts: Vec<_> = (0..2).map(|_| scope.spawn(|| site.serve())).collect();
        starts
            .into_iter()
            .map(|start| start.join().unwrap())
            .collect::<Vec<_>>()
    });
    site.import_catalog();
    let first = site.store(&servers[0], &[]);
    let clients = [
        &first,
        &Client {
            address: servers[1].address,
            ..first.clone()
        },
    ];
    for round in 0..3 {
        let body = order(&format!("both-{round}"));
        let start = Barrier::new(16);
        let call = |client: &Client| {
            start.wait();
            client.call("create", &body)
        };
        let call = &call;
        let responses: Vec<_> = thread::scope(|scope| {
            let calls: Vec<_> = (0..16)
                .map(|i| scope.spawn(move || call(clients[i % 2])))
                .collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        let ids: BTreeSet<String> = responses
            .iter()
            .map(|response| response.order()["id"].to_string())
            .collect();
        // One response creates the order, the other 15 are replays.
        assert_eq!(
            (
                ids.len(),
                responses
                    .iter()
                    .filter(|response| response.is_replay())
                    .count()
            ),
            (1, 15)
        );
    }
    // Both servers return the same orders in the same order.
    first.create(&order("both-3"));
    let mut change = crate::common::update("both-3");
    change["production_note"] = json!("Gift");
    let change = clients[1].call("update", &change).order();
    assert_eq!(change["version"], 2);
    let seen = clients.map(|client| client.found("both"));
    assert_eq!((seen[0].len(), &seen[0]), (4, &seen[1]));
}
