//! Bodies that are too large, too slow, truncated or chunked wrongly.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Connection, Request, Site, assert_error, order};

/// The body has a byte too many, with and without a `Content-Length`.
#[test]
fn a_body_has_at_most_one_mebibyte() {
    const LIMIT: usize = 1024 * 1024;
    let site = Site::sqlite();
    let (server, client) = site.open();
    let padded = |length: usize| {
        let mut body = order("big").to_string().into_bytes();
        body.resize(length, b' ');
        body
    };
    let chunked = |request: &Request| {
        let mut bytes = format!(
            "{}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
            request.head()
        )
        .into_bytes();
        for chunk in request.body.chunks(50_000) {
            bytes.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        Connection::open(server.address)
            .unwrap()
            .send_raw(&bytes)
            .unwrap()
    };
    let fits = client.request("create", padded(LIMIT));
    client.send(&fits).ok();
    // The same body in chunks makes a repeated request.
    assert!(chunked(&fits).is_replay());
    for length in [LIMIT + 1, 3 * LIMIT] {
        let over = client.request("create", padded(length));
        assert_error(&client.send(&over), 413, "body_too_large");
        assert_error(&chunked(&over), 413, "body_too_large");
    }
    // An announced body that is too large is refused before it is sent.
    let head = format!("{}Content-Length: 1099511627776\r\n\r\n", fits.head());
    let response = Connection::open(server.address)
        .unwrap()
        .send_raw(head.as_bytes())
        .unwrap();
    assert_error(&response, 413, "body_too_large");
    client.search(&json!({}));
}

#[test]
fn a_slow_body_times_out() {
    let site = Site::sqlite();
    site.import_catalog();
    let server = site.serve_with(&[("PRESSLINE__HTTP__BODY_DEADLINE_SECONDS", "1")]);
    let client = site.store(&server, &[]);
    let request = client.request("create", order("slow").to_string());
    for chunked in [false, true] {
        let mut connection = Connection::open(server.address).unwrap();
        let length = if chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            format!("Content-Length: {}", request.body.len())
        };
        let begin = Instant::now();
        connection
            .write(format!("{}{length}\r\n\r\n", request.head()).as_bytes())
            .unwrap();
        connection
            .write(if chunked { b"1\r\n{\r\n" } else { b"{" })
            .unwrap();
        // The rest of the body never comes.
        let response = connection.read().unwrap();
        assert_error(&response, 408, "request_timeout");
        assert!(
            (Duration::from_millis(900)..Duration::from_secs(5)).contains(&begin.elapsed()),
            "{:?}",
            begin.elapsed()
        );
    }
    // Other requests are still served.
    client.create(&order("quick"));
}

#[test]
fn truncated_and_wrongly_chunked_bodies_do_not_harm_the_server() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    let request = client.request("create", order("cut").to_string());
    let head = format!(
        "{}Content-Length: {}\r\n\r\n",
        request.head(),
        request.body.len()
    );
    for cut in [0, 1, request.body.len() - 1] {
        let mut connection = Connection::open(server.address).unwrap();
        connection.write(head.as_bytes()).unwrap();
        connection.write(&request.body[..cut]).unwrap();
        drop(connection);
    }
    let wrong = format!(
        "{}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n{{}}\r\n0\r\n\r\n",
        request.head()
    );
    let response = Connection::open(server.address)
        .unwrap()
        .send_raw(wrong.as_bytes())
        .unwrap();
    assert_eq!(response.status, 400, "{response}");
    assert!(
        client.search(&json!({})).is_empty(),
        "half a request is none"
    );
}
