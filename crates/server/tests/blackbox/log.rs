//! A log that cannot be written must not affect requests, start or shutdown.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use serde_json::{Value, json};

use crate::common::{
    Client, Connection, Finished, Request, Server, Site, TIMEOUT, clean_command, order, try_get,
    wait_for,
};

/// Opens `/dev/full`, which fails like a full disk.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// A full pipe. Nothing is read from its reader.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, mut writer) = pipe().unwrap();
    let flags = fcntl_getfl(&writer).unwrap();
    // Non-blocking, so that a write to the full pipe fails instead of waiting.
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).unwrap();
    let mut size = 4096;
    while size > 0 {
        // A write that fits only partly takes some of the room.
        let written = writer.write(&vec![b'x'; size]);
        size = written.unwrap_or(size / 2);
    }
    // Blocking again, as a shell would pass it to the server.
    fcntl_setfl(&writer, flags).unwrap();
    (reader, writer)
}

fn store(site: &Site) -> (String, String) {
    let made = site
        .run(&["--json", "store", "create", "--name", "Printery"])
        .json();
    let text = |key: &str| made[key].as_str().unwrap().to_owned();
    (text("storeId"), text("secretKey"))
}

fn serve(site: &Site, out: impl Into<Stdio>, err: impl Into<Stdio>) -> Server {
    let mut command = site.command();
    command.arg("serve").stdout(out).stderr(err);
    Server::start_unread(command)
}

/// Asserts that orders can be created and found, and that the server stops in time after a signal.
#[track_caller]
fn serves_and_stops(mut server: Server, (store, key): (String, String)) {
    let client = Client {
        address: server.address,
        store,
        key,
    };
    for name in ["one", "two"] {
        client.create(&order(name));
    }
    client.call("create", &json!({})).json();
    assert_eq!(client.found("two"), ["two"]);
    let begin = Instant::now();
    server.terminate();
    let ended = server.wait();
    assert_eq!(ended.code(), Some(0), "{ended}");
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
}

/// Sends `count` requests over a single connection without waiting for the responses.
fn request_many(server: &Server, count: usize) {
    // A long request id makes a long log line.
    let request = Request::new("GET", "/livez")
        .header("X-Request-Id", &"x".repeat(128))
        .head()
        + "\r\n";
    let mut connection = Connection::open(server.address).unwrap();
    for _ in 0..count.div_ceil(100) {
        connection.write(request.repeat(100).as_bytes()).unwrap();
        for _ in 0..100 {
            assert_eq!(connection.read().unwrap().status, 200);
        }
    }
}

#[test]
fn a_full_disk_does_not_affect_requests() {
    let site = Site::sqlite();
    let store = store(&site);
    let server = serve(&site, full(), full());
    serves_and_stops(server, store);
}

#[test]
fn a_closed_log_reader_does_not_affect_requests() {
    let site = Site::sqlite();
    let store = store(&site);
    let (reader, writer) = pipe().unwrap();
    let server = serve(&site, writer.try_clone().unwrap(), writer);
    // The reader closes after the first line.
    let mut first = String::new();
    BufReader::new(reader).read_line(&mut first).unwrap();
    assert!(first.contains("listening"), "{first}");
    serves_and_stops(server, store);
}

#[test]
fn a_stalled_log_reader_does_not_affect_requests() {
    let site = Site::sqlite();
    let store = store(&site);
    let (_reader, writer) = full_pipe();
    let server = serve(&site, writer.try_clone().unwrap(), writer);
    // More lines than the log queue holds.
    request_many(&server, 15_000);
    serves_and_stops(server, store);
}

#[test]
fn dropped_lines_are_counted_and_the_count_is_logged() {
    const MANY: usize = 15_000;
    let site = Site::sqlite();
    let (reader, writer) = pipe().unwrap();
    let mut server = serve(&site, Stdio::null(), writer);
    // The log is read only after all requests.
    request_many(&server, MANY);
    server.read_log(reader);
    let dropped = wait_for("each line to be either written or counted", TIMEOUT, || {
        let (mut written, mut dropped) = (0, 0);
        let log = server.log();
        let events = log
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for event in events {
            if let Some(count) = event["dropped"].as_u64() {
                assert_eq!(event["level"], "ERROR");
                dropped += usize::try_from(count).unwrap();
            }
            let mine = event["request_id"]
                .as_str()
                .is_some_and(|id| id.starts_with("xxx"));
            written += usize::from(mine);
        }
        (written + dropped == MANY).then_some(dropped)
    });
    assert!(dropped > 0);
}

#[test]
fn a_first_run_serves_even_if_its_output_is_not_read() {
    for out in [
        Stdio::from(full()),
        pipe().unwrap().1.into(),
        full_pipe().1.into(),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = clean_command(folder.path());
        command.stdout(out).stderr(Stdio::null());
        let mut server = Server::start_unread(command);
        assert_eq!(try_get(server.address, "/readyz").unwrap().status, 200);
        server.terminate();
        assert_eq!(server.wait().code(), Some(0));
    }
}

#[test]
fn a_command_without_writable_output_keeps_its_exit_code() {
    let site = Site::sqlite();
    let run = |arguments: &[&str]| -> Command {
        let mut command = site.command();
        command.args(arguments).stdin(Stdio::null());
        command
    };
    for (arguments, code) in [(vec!["store", "show", "NONE"], 4), (vec!["frobnicate"], 2)] {
        let ended = run(&arguments).stderr(full()).status().unwrap();
        assert_eq!(ended.code(), Some(code), "{arguments:?}");
    }
    let ended: Finished = run(&["store", "list"])
        .stdout(full())
        .output()
        .unwrap()
        .into();
    ended.fails(1, &["standard output"]);
}
