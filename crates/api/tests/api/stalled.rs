//! Clients that read slowly, or not at all.
#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pressline_api::Settings;
use pressline_http::ServerSettings;

use crate::common::*;
use crate::sockets::{Running, head, read_response, start_with};

/// The server's `stall_timeout`. Long enough for a willing client to read on a busy machine.
const STALL: Duration = Duration::from_secs(3);
/// Test timeout. Far longer than any step takes unless the server waits for the client.
const PATIENCE: Duration = Duration::from_secs(60);
/// Number of orders. A page of 8 orders of 2 MB each exceeds the socket buffers of the operating
/// system.
const ORDERS: usize = 8;

/// Starts a server with memory for a single page of large orders, and places [`ORDERS`] orders.
fn start() -> Running {
    let settings = Settings {
        response_budget: 4 * 1024 * 1024,
        ..settings()
    };
    let run = ServerSettings {
        stall_timeout: STALL,
        shutdown_timeout: 2 * PATIENCE,
        ..ServerSettings::default()
    };
    let server = start_with(settings, run);
    let mut stream = server.connect();
    for number in 0..ORDERS {
        let body = wide(&format!("A-{number}")).to_string();
        write!(
            stream,
            "{}{body}",
            head(CREATE, &format!("Content-Length: {}\r\n", body.len()))
        )
        .unwrap();
        assert!(read_response(&mut stream).starts_with("HTTP/1.1 200 "));
    }
    server
}

/// Requests the page and reads the first byte of the response.
fn ask(server: &Running) -> TcpStream {
    let mut stream = server.connect();
    write!(stream, "{}{{}}", head(SEARCH, "Content-Length: 2\r\n")).unwrap();
    stream.read_exact(&mut [0; 1]).unwrap();
    stream
}

/// Status of another request for the page. The rest of its response is not read.
fn status(server: &Running) -> String {
    let mut stream = ask(server);
    let mut line = [0; 11];
    stream.read_exact(&mut line).unwrap();
    String::from_utf8_lossy(&line)
        .split(' ')
        .nth(1)
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_stalled_client_is_disconnected_and_its_memory_freed() {
    let server = start();
    let began = Instant::now();
    let mut stalled = ask(&server);
    assert_eq!(status(&server), "503", "the page is held for the client");
    while status(&server) != "200" {
        assert!(
            began.elapsed() < PATIENCE,
            "the client still holds its page"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(began.elapsed() >= STALL, "{:?}", began.elapsed());
    // Data in the system's buffers may still arrive before the connection ends.
    let mut rest = Vec::new();
    let end = stalled.read_to_end(&mut rest);
    assert!(
        !rest.ends_with(b"0\r\n\r\n"),
        "{end:?}: the page is not whole"
    );
}

#[test]
fn a_slow_client_gets_its_whole_page() {
    let server = start();
    let mut stream = ask(&server);
    let began = Instant::now();
    let mut part = vec![0; 3 * 1024 * 1024];
    let mut last = Vec::new();
    loop {
        let mut length = 0;
        while length < part.len() {
            match stream.read(&mut part[length..]).unwrap() {
                0 => panic!("cut off after {:?}", began.elapsed()),
                read => length += read,
            }
            last = part[length.saturating_sub(5)..length].to_vec();
            if last == b"0\r\n\r\n" {
                assert!(
                    began.elapsed() > STALL,
                    "{:?}: it was not slow",
                    began.elapsed()
                );
                return;
            }
        }
        assert!(began.elapsed() < PATIENCE, "{last:?}");
        std::thread::sleep(STALL / 4);
    }
}

#[test]
fn a_stalled_client_does_not_delay_shutdown() {
    let server = start();
    let _stalled = ask(&server);
    let began = Instant::now();
    actix_web::rt::System::new().block_on(server.handle.stop(true));
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}
