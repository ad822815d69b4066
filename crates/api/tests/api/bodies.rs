//! When a body is read, and the memory budget of all bodies in progress.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use pressline_api::Settings;
use pressline_http::ServerSettings;

use crate::common::*;
use crate::sockets::{Running, assert_error, head, read_response, start_with};

/// Starts a server with a memory budget of `body_budget` bytes, and with a body deadline of 600 s
/// that no test reaches.
fn patient(body_budget: usize) -> Running {
    let settings = Settings {
        body_deadline: Duration::from_secs(600),
        body_budget,
        ..settings()
    };
    start_with(settings, ServerSettings::default())
}

/// Request heads that are refused without reading the body, with status and error code.
fn unwanted() -> Vec<(String, &'static str, &'static str)> {
    let ten = "Content-Length: 10\r\n";
    let good = head(SEARCH, ten);
    let create = head(CREATE, ten);
    let signature = format!("X-Service-Hmac-Sha256: {GOOD}\r\n");
    let store = format!("X-Service-Store-Id: {STORE}\r\n");
    let denied = |head: String| (head, "401", "permission_denied");
    vec![
        (head("/nowhere", ten), "404", "not_found"),
        (good.replacen("POST", "PUT", 1), "405", "method_not_allowed"),
        (
            head(SEARCH, "Content-Length: 1048577\r\n"),
            "413",
            "body_too_large",
        ),
        (
            good.replace("application/json", "text/plain"),
            "415",
            "unsupported_media_type",
        ),
        (
            good.replace("application/json", "application/json; charset=latin1"),
            "415",
            "unsupported_media_type",
        ),
        denied(good.replace(&store, "")),
        denied(good.replace(STORE, "shop-1")),
        denied(create.replace(&signature, "")),
        denied(good.replace(GOOD, "good")),
        denied(good.replace(&signature, &signature.repeat(2))),
    ]
}

#[test]
fn requests_with_invalid_heads_are_refused_before_their_body_arrives() {
    let server = patient(1 << 20);
    for (head, status, code) in unwanted() {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let response = read_response(&mut stream);
        assert_error(&response, status, code);
        assert!(response.contains("connection: close"), "{response}");
    }
}

#[test]
fn the_server_sends_100_continue_only_for_bodies_that_it_reads() {
    let server = patient(1 << 20);
    let expecting = |head: String| head.replacen("\r\n", "\r\nExpect: 100-continue\r\n", 1);
    for (head, status, code) in unwanted() {
        let mut stream = server.connect();
        stream.write_all(expecting(head).as_bytes()).unwrap();
        assert_error(&read_response(&mut stream), status, code);
    }
    let mut stream = server.connect();
    for path in [SEARCH, "/app/v1/orders/%73earch"] {
        stream
            .write_all(expecting(head(path, "Content-Length: 2\r\n")).as_bytes())
            .unwrap();
        assert_eq!(read_response(&mut stream), "HTTP/1.1 100 Continue\r\n\r\n");
        stream.write_all(b"{}").unwrap();
        assert!(
            read_response(&mut stream).starts_with("HTTP/1.1 200 "),
            "{path}"
        );
    }
    // A well-formed signature can be verified only with the body.
    let wrong = head(SEARCH, "Content-Length: 2\r\n").replace(GOOD, BAD);
    stream.write_all(expecting(wrong).as_bytes()).unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 100 "));
    stream.write_all(b"{}").unwrap();
    assert_error(&read_response(&mut stream), "401", "permission_denied");
}

/// A search request with a body of `length` bytes.
fn search(length: usize) -> String {
    let body = format!("{{\"searchKey\":\"{}\"}}", " ".repeat(length - 16));
    assert_eq!(body.len(), length);
    head(SEARCH, &format!("Content-Length: {length}\r\n")) + &body
}

fn ask(server: &Running, request: &str) -> String {
    let mut stream = server.connect();
    stream.write_all(request.as_bytes()).unwrap();
    read_response(&mut stream)
}

#[test]
fn a_body_beyond_the_budget_is_refused_with_retry_after() {
    let server = patient(2000);
    let refused = ask(&server, &search(2001));
    assert_error(&refused, "503", "unavailable");
    assert!(
        refused.contains("retry-after: 2") && refused.contains("connection: close"),
        "{refused}"
    );
}

#[test]
fn the_end_of_a_request_frees_its_share_of_the_body_budget() {
    let server = patient(2000);
    for _ in 0..5 {
        assert!(ask(&server, &search(2000)).starts_with("HTTP/1.1 200 "));
        assert_error(
            &ask(&server, &search(2000).replace(GOOD, BAD)),
            "401",
            "permission_denied",
        );
        assert_error(&ask(&server, &search(2001)), "503", "unavailable");
    }
    // The share of a disconnected client becomes free when the server notices; until then, requests
    // get 503.
    let mut stream = server.connect();
    stream.write_all(&search(2000).as_bytes()[..1000]).unwrap();
    drop(stream);
    while !ask(&server, &search(2000)).starts_with("HTTP/1.1 200 ") {}
}

/// Returns whether a byte of the response arrives within 10 ms, without consuming it.
fn has_response(stream: &TcpStream) -> bool {
    stream
        .set_read_timeout(Some(Duration::from_millis(10)))
        .unwrap();
    let found = stream.peek(&mut [0]).is_ok_and(|length| length == 1);
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    found
}

#[test]
fn a_stalled_client_loses_its_budget_to_other_clients() {
    let server = patient(100_000);
    let mut stalled = server.connect();
    stalled
        .write_all(&search(100_000).as_bytes()[..99_000])
        .unwrap();
    while !has_response(&stalled) {
        // Gets 503 while the stalled body is not yet in memory; later it takes the stalled body's
        // place.
        let response = ask(&server, &search(10_000));
        assert!(
            response.starts_with("HTTP/1.1 200 ") || response.starts_with("HTTP/1.1 503 "),
            "{response}"
        );
    }
    let response = read_response(&mut stalled);
    assert_error(&response, "503", "unavailable");
    assert!(response.contains("connection: close"), "{response}");
    assert_eq!(
        stalled.read(&mut [0; 16]).unwrap(),
        0,
        "the connection is closed"
    );
    assert!(ask(&server, &search(100_000)).starts_with("HTTP/1.1 200 "));
}
