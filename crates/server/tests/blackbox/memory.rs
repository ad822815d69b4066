//! Memory limits of the server, whatever clients send.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::common::{Site, TIMEOUT, wait_for};

/// Size of a body without its last byte, in bytes.
const UNFINISHED: usize = 1024 * 1024 - 1;
/// Number of connections that send an unfinished body.
const CONNECTIONS: usize = 1000;
/// Maximum memory of the server, in MiB.
const BOUND: u64 = 350;

/// Raises `RLIMIT_NOFILE` for this process and its servers to up to 8192.
pub(crate) fn allow_connections() {
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(8192).min(8192);
    let current = limit.current.unwrap_or(8192).max(wanted);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: Some(current),
            maximum: limit.maximum,
        },
    )
    .unwrap();
}

#[test]
fn unfinished_bodies_need_bounded_memory_and_end_with_their_senders() {
    allow_connections();
    let site = Site::sqlite();
    let (server, client) = site.open();
    let request = client.request("create", Vec::new());
    // The head announces a byte more than is sent.
    let head = request.head() + "Content-Length: 1048576\r\n\r\n";
    let mut senders: Vec<Option<TcpStream>> = (0..CONNECTIONS)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream
                .set_write_timeout(Some(Duration::from_secs(20)))
                .unwrap();
            stream.write_all(head.as_bytes()).ok().map(|()| stream)
        })
        .collect();
    let part = vec![b' '; 64 * 1024];
    // The bodies of all senders grow together.
    for begin in (0..UNFINISHED).step_by(part.len()) {
        let part = &part[..part.len().min(UNFINISHED - begin)];
        for sender in &mut senders {
            // The server closes a refused sender's connection.
            if sender
                .as_mut()
                .is_some_and(|stream| stream.write_all(part).is_err())
            {
                *sender = None;
            }
        }
    }
    // The remaining senders have stalled. They must give way to a complete request.
    wait_for("an response beside the stalled clients", TIMEOUT, || {
        (client.call("search", &serde_json::json!({})).status == 200).then_some(())
    });
    drop(senders);
    let peak = server.peak_memory();
    assert!(peak < BOUND, "the server held {peak} MiB");
}
