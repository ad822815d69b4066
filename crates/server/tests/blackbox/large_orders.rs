//! Memory limit while many clients request pages of the largest orders.

use std::io::Read;
use std::net::TcpStream;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{
    Client, Site, TIMEOUT, address, assert_error, customer, item, on_both_databases, order,
    wait_for,
};

on_both_databases!(
    pages_of_the_largest_orders_need_bounded_memory,
    updates_cannot_grow_an_order_beyond_its_limit,
);

/// Concurrent calls. Together their pages are larger than [`MAX_MEMORY`].
const CALLS: usize = 32;
/// Orders on a page: 16 MB, more than the system buffers for a connection, so that each response
/// blocks.
const ORDERS: usize = 8;
/// Maximum [`Server::peak_memory`], in MiB.
const MAX_MEMORY: u64 = 350;

/// Returns an order of nearly 1 MiB. Pages show `mockupImages` twice, so it takes 2 MiB there.
pub(crate) fn widest(order_id: &str) -> Value {
    let mut body = order(order_id);
    let image = format!("https://example.com/{}", "x".repeat(2020));
    let item = json!({ "sku": "MUG-11", "quantity": 1, "mockupImages": vec![image; 5] });
    body["line_items"] = vec![item; 100].into();
    body
}

/// Requests a page and reads the first 16 KB of the response, so that the server is sending its
/// orders.
fn begin(client: &Client) -> (u16, TcpStream) {
    let request = client.request("search", r#"{"size":100}"#);
    let mut stream = TcpStream::connect(client.address).unwrap();
    stream.set_read_timeout(Some(2 * TIMEOUT)).unwrap();
    let text = format!(
        "{}Content-Length: {}\r\n\r\n",
        request.head(),
        request.body.len()
    )
    .into_bytes();
    std::io::Write::write_all(&mut stream, &[text, request.body].concat()).unwrap();
    let mut start = vec![0; 16 * 1024];
    let mut length = 0;
    // An error response is shorter, and arrives completely with the first read.
    while length < start.len() && (length < 12 || start.starts_with(b"HTTP/1.1 200")) {
        length += stream.read(&mut start[length..]).unwrap();
    }
    let status = String::from_utf8_lossy(&start[9..12]).parse().unwrap();
    (status, stream)
}

fn pages_of_the_largest_orders_need_bounded_memory(site: &Site) {
    site.import_catalog();
    // A longer wait for a connection than the default, because the test machine may be busy.
    let server = site.serve_with(&[("PRESSLINE__DATABASE__POOL_WAIT_MS", "2000")]);
    let client = site.store(&server, &[]);
    for number in 0..ORDERS {
        client.create(&widest(&format!("wide-{number}")));
    }
    let all_have_begun = Barrier::new(CALLS);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let calls: Vec<_> = (0..CALLS)
            .map(|_| {
                scope.spawn(|| {
                    // A store's searches begin one after another, and a busy machine may read the
                    // head of a request too late: both are retried. This test is about the memory
                    // of the responses.
                    let (status, stream) = wait_for("a search that begins", TIMEOUT, || {
                        Some(begin(&client)).filter(|(status, _)| ![408, 429].contains(status))
                    });
                    // Each response is held open until all have begun.
                    all_have_begun.wait();
                    drop(stream);
                    status
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let peak = server.peak_memory();
    assert!(peak < MAX_MEMORY, "{peak} MiB");
    let begun = statuses.iter().filter(|status| **status == 200).count();
    assert!(
        statuses.iter().all(|status| [200, 503].contains(status)) && begun >= 8,
        "{statuses:?}"
    );
    // Pages are complete, although earlier responses were cut off.
    let orders = client.search(&json!({ "size": 100 }));
    let ids: Vec<&str> = orders
        .iter()
        .map(|order| order["orderId"].as_str().unwrap())
        .collect();
    let wanted: Vec<String> = (0..ORDERS)
        .rev()
        .map(|number| format!("wide-{number}"))
        .collect();
    assert_eq!(ids, wanted);
    assert_eq!(
        orders[ORDERS - 1]["childDetails"].as_array().unwrap().len(),
        100
    );
}

fn updates_cannot_grow_an_order_beyond_its_limit(site: &Site) {
    let (_server, client) = site.open();
    let made = client.create(&widest("wide"));
    let grown = |id: &Value| json!({ "appItemId": id, "fileUrls": [format!("https://example.com/{}", "y".repeat(2000))] });
    let ids = made["childDetails"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["id"]);
    let body = json!({
        "order_id": "wide", "customer": customer(), "shipping_address": address(),
        "line_items": ids.map(grown).collect::<Vec<_>>()
    });
    let error = assert_error(&client.call("update", &body), 400, "validation_failed");
    assert!(error.has("line_items", "too_long"), "{error:?}");
    assert!(error.message.contains("1048576"), "{error:?}");
    let stored = client.stored("wide");
    assert_eq!(
        (
            &stored["version"],
            &stored["childDetails"][0]["files"][0]["fileUrl"]
        ),
        (&json!(1), &json!([]))
    );
    // Adding an item is an ordinary update.
    let added = json!({
        "order_id": "wide", "customer": customer(), "shipping_address": address(), "version": 1,
        "line_items": [{ "appItemId": made["childDetails"][0]["id"], "remove": true }, item("TEE-M", 1, 2)]
    });
    assert_eq!(client.call("update", &added).order()["version"], 2);
}

#[test]
fn a_client_that_never_reads_does_not_delay_shutdown() {
    let site = Site::sqlite();
    site.import_catalog();
    let mut server = site.serve_with(&[("PRESSLINE__HTTP__SHUTDOWN_SECONDS", "1")]);
    let client = site.store(&server, &[]);
    for number in 0..ORDERS {
        client.create(&widest(&format!("wide-{number}")));
    }
    let (status, _stalled) = begin(&client);
    assert_eq!(status, 200);
    let began = std::time::Instant::now();
    server.terminate();
    let ended = server.wait();
    assert_eq!(ended.code(), Some(0), "{ended}: {}", server.log());
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
}
