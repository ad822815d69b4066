//! Requests over a real connection: slow, large, chunked and broken bodies.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use actix_web::dev::ServerHandle;
use pressline_api::{Api, Settings, server};
use pressline_http::ServerSettings;

use crate::common::*;

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) handle: ServerHandle,
    thread: Option<std::thread::JoinHandle<()>>,
}

fn start(body_deadline: Duration) -> Running {
    start_with(
        Settings {
            body_deadline,
            ..settings()
        },
        ServerSettings::default(),
    )
}

pub(crate) fn start_with(settings: Settings, run: ServerSettings) -> Running {
    let api = async || World::with(settings, FakeReadiness(Vec::new())).await.api;
    serve(api(), run)
}

/// Serves `api`, with a single worker.
pub(crate) fn serve(
    api: impl Future<Output = Api> + Send + 'static,
    run: ServerSettings,
) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (send, receive) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let run = ServerSettings { workers: 1, ..run };
            let server = server(api.await, listener, &run).unwrap();
            send.send(server.handle()).unwrap();
            server.await.unwrap();
        });
    });
    Running {
        address,
        handle: receive.recv().unwrap(),
        thread: Some(thread),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.handle.stop(false));
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Running {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream
    }

    /// Connects, and sends the head of a search with the lines `more`.
    fn begin_search(&self, more: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(head(SEARCH, more).as_bytes()).unwrap();
        stream
    }
}

pub(crate) fn head(path: &str, more: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Service-Store-Id: {STORE}\r\n\
         X-Service-Hmac-Sha256: {GOOD}\r\n{more}\r\n"
    )
}

/// Reads a response: its head, and a body of `Content-Length` bytes.
pub(crate) fn read_response(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        assert_eq!(
            stream.read(&mut byte).unwrap(),
            1,
            "closed after {}",
            String::from_utf8_lossy(&bytes)
        );
        bytes.push(byte[0]);
    }
    let head = String::from_utf8(bytes).unwrap();
    let length = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length: ")?
            .parse()
            .ok()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

#[track_caller]
pub(crate) fn assert_error(response: &str, status: &str, code: &str) {
    assert!(
        response.starts_with(&format!("HTTP/1.1 {status} ")),
        "{response}"
    );
    assert!(
        response.contains(&format!("\"code\":\"{code}\"")),
        "{response}"
    );
    assert!(response.contains("x-request-id: "), "{response}");
}

#[test]
fn a_missing_body_times_out_and_closes_the_connection() {
    let server = start(Duration::from_millis(200));
    for (more, part) in [
        ("Content-Length: 100\r\n", "{\"pa"),
        ("Transfer-Encoding: chunked\r\n", "3\r\n{\"p\r\n"),
    ] {
        let mut stream = server.begin_search(more);
        stream.write_all(part.as_bytes()).unwrap();
        let began = Instant::now();
        let response = read_response(&mut stream);
        assert_error(&response, "408", "request_timeout");
        assert!(response.contains("connection: close"), "{response}");
        assert!(began.elapsed() < Duration::from_secs(5));
        assert_eq!(
            stream.read(&mut [0; 16]).unwrap(),
            0,
            "the connection is closed"
        );
    }
}

#[test]
fn trickling_unread_bodies_do_not_keep_the_connection_open() {
    let server = start(Duration::from_secs(10));
    for line in [
        "POST /nowhere",
        "PUT /app/v1/orders/create",
        "POST /livez",
        "GET /livez",
    ] {
        let mut stream = server.connect();
        let head = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        read_response(&mut stream);
        assert_eq!(
            stream.read(&mut [0; 16]).unwrap(),
            0,
            "{line}: the connection is closed"
        );
    }
}

#[test]
fn large_bodies_are_refused_by_declared_and_by_received_length() {
    let server = start(Duration::from_secs(10));
    let mut stream = server.begin_search("Content-Length: 1048577\r\n");
    assert_error(&read_response(&mut stream), "413", "body_too_large");

    let mut stream = server.begin_search("Transfer-Encoding: chunked\r\n");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    for _ in 0..17 {
        // The server may already have responded and closed the connection.
        let _ = stream.write_all(chunk.as_bytes());
    }
    assert_error(&read_response(&mut stream), "413", "body_too_large");
}

#[test]
fn chunked_bodies_and_expectations_are_served_on_one_connection() {
    let server = start(Duration::from_secs(10));
    let mut stream = server.begin_search("Transfer-Encoding: chunked\r\n");
    stream.write_all(b"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n").unwrap();
    let response = read_response(&mut stream);
    assert!(
        response.starts_with("HTTP/1.1 200 ") && response.contains("\"success\":true"),
        "{response}"
    );

    stream
        .write_all(head(SEARCH, "Expect: 100-continue\r\nContent-Length: 2\r\n").as_bytes())
        .unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 100 "));
    stream.write_all(b"{}").unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 200 "));
}

#[test]
fn broken_chunks_get_a_response() {
    let server = start(Duration::from_secs(10));
    let mut stream = server.begin_search("Transfer-Encoding: chunked\r\n");
    stream.write_all(b"zz\r\n").unwrap();
    assert!(read_response(&mut stream).starts_with("HTTP/1.1 400 "));
}

#[test]
fn unknown_paths_and_methods_get_an_error_body() {
    let server = start(Duration::from_secs(10));
    let ask = |line: &str| {
        let mut stream = server.connect();
        stream
            .write_all(format!("{line} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())
            .unwrap();
        read_response(&mut stream)
    };
    assert_error(&ask("GET /nowhere"), "404", "not_found");
    assert_error(&ask("GET /app/v1/orders/create/"), "404", "not_found");
    assert_error(&ask("OPTIONS *"), "404", "not_found");
    assert_error(&ask("GET //app/v1/orders/create"), "404", "not_found");
    let refused = ask("GET /app/v1/orders/create");
    assert_error(&refused, "405", "method_not_allowed");
    assert!(refused.contains("allow: POST"), "{refused}");
}
