//! When a body is read, and what all bodies in progress may hold together.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use pressline_api::Settings;
use pressline_http::ServerSettings;

use crate::common::*;
use crate::sockets::{Running, assert_error, head, read_response, start_with};

/// A server whose body deadline no test waits for.
fn patient(body_budget: usize) -> Running {
    let settings = Settings {
        body_deadline: Duration::from_secs(600),
        body_budget,
        ..settings()
    };
    start_with(settings, ServerSettings::default())
}

/// Heads whose bodies the server does not want, each with the status and code of its response.
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
fn a_call_that_its_head_refuses_gets_its_response_before_its_body_arrives() {
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
fn a_client_is_asked_for_its_body_only_where_the_body_is_wanted() {
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
    // A signature of the right form can only be checked with the body.
    let wrong = head(SEARCH, "Content-Length: 2\r\n").replace(GOOD, BAD);
    stream.write_all(expecting(wrong).as_bytes()).unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 100 "));
    stream.write_all(b"{}").unwrap();
    assert_error(&read_response(&mut stream), "401", "permission_denied");
}

/// A search whose body has so many bytes.
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
fn a_body_beyond_the_budget_is_refused_with_the_time_to_try_again() {
    let server = patient(2000);
    let refused = ask(&server, &search(2001));
    assert_error(&refused, "503", "unavailable");
    assert!(
        refused.contains("retry-after: 2") && refused.contains("connection: close"),
        "{refused}"
    );
}

#[test]
fn what_a_body_took_is_given_back_when_its_call_ends() {
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
    // A disconnected client's share is free again as soon as the server has noticed.
    let mut stream = server.connect();
    stream.write_all(&search(2000).as_bytes()[..1000]).unwrap();
    drop(stream);
    while !ask(&server, &search(2000)).starts_with("HTTP/1.1 200 ") {}
}

/// Whether something has arrived; waits a moment for it.
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
fn a_client_that_stalls_gives_way_to_others() {
    let server = patient(100_000);
    let mut stalled = server.connect();
    stalled
        .write_all(&search(100_000).as_bytes()[..99_000])
        .unwrap();
    while !has_response(&stalled) {
        // Refused while the other body may still be on its way, then served instead of it.
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
