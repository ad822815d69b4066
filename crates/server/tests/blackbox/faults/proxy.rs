//! A proxy before PostgreSQL that makes statements fail and connections break.
//!
//! It reads the client's messages of PostgreSQL's protocol (source: "Message Formats" in
//! PostgreSQL's documentation). A group of messages ends with a `Query` or a `Sync`. To make a
//! group fail, the proxy sends a statement that raises an error in its place. The server's
//! transaction is then in the same state as after a real error, and the original statement is not
//! executed.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::common::random_below;

/// Percentage of statements that fail. [`CUT`]: percentage of statements that cut the connection.
const FAILING: usize = 20;
const CUT: usize = 1;

const QUERY: u8 = b'Q';
const SYNC: u8 = b'S';
const PASSWORD: u8 = b'p';

/// Statements that raise the errors of two conflicting transactions.
const CONFLICTS: [&str; 2] = [
    "DO $$ BEGIN RAISE 'could not serialize access' USING ERRCODE = '40001'; END $$",
    "DO $$ BEGIN RAISE 'deadlock detected' USING ERRCODE = '40P01'; END $$",
];

#[derive(Default)]
struct Faults {
    are_on: AtomicBool,
    failed: AtomicUsize,
    cut: AtomicUsize,
}

pub(super) struct Proxy {
    address: SocketAddr,
    faults: Arc<Faults>,
}

impl Proxy {
    /// Listens for clients of the server at `host:port`. Initially, nothing fails.
    pub(super) fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            address: listener.local_addr().unwrap(),
            faults: Arc::default(),
        };
        let (faults, server) = (Arc::clone(&proxy.faults), server.to_owned());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(&server) else {
                    continue;
                };
                let (mut responses, mut receiver) =
                    (server.try_clone().unwrap(), client.try_clone().unwrap());
                thread::spawn(move || {
                    let _ = io::copy(&mut responses, &mut receiver);
                    let _ = receiver.shutdown(Shutdown::Both);
                });
                let faults = Arc::clone(&faults);
                thread::spawn(move || {
                    let _ = faults.pass_on(&client, &server);
                    let _ = client.shutdown(Shutdown::Both);
                    let _ = server.shutdown(Shutdown::Write);
                });
            }
        });
        proxy
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn set_faults(&self, are_on: bool) {
        self.faults.are_on.store(are_on, Ordering::SeqCst);
    }

    pub(super) fn counts(&self) -> (usize, usize) {
        let of = |count: &AtomicUsize| count.load(Ordering::SeqCst);
        (of(&self.faults.failed), of(&self.faults.cut))
    }
}

impl Faults {
    /// Forwards messages until `client` or `server` closes the connection, or the proxy cuts it.
    fn pass_on(&self, mut client: &TcpStream, mut server: &TcpStream) -> io::Result<()> {
        // The first message has no type.
        server.write_all(&rest_of_message(&mut client, Vec::new())?)?;
        let mut statement = Vec::new();
        loop {
            let mut kind = [0];
            client.read_exact(&mut kind)?;
            let message = rest_of_message(&mut client, kind.to_vec())?;
            statement.extend(&message);
            match kind[0] {
                QUERY | SYNC if self.are_on.load(Ordering::SeqCst) => {
                    let chance = random_below(100);
                    if chance < CUT {
                        self.cut.fetch_add(1, Ordering::SeqCst);
                        // Half of the statements are executed, and only their results are lost.
                        if random_below(2) == 0 {
                            server.write_all(&statement)?;
                        }
                        return Ok(());
                    }
                    let failure = failure_of(&statement).filter(|_| chance < CUT + FAILING);
                    if let Some(failure) = failure {
                        self.failed.fetch_add(1, Ordering::SeqCst);
                        statement = failure;
                    }
                }
                QUERY | SYNC | PASSWORD => {}
                // The group is not complete yet.
                _ => continue,
            }
            server.write_all(&statement)?;
            statement.clear();
        }
    }
}

/// Reads the length and the rest of a message, and appends both to `message`.
fn rest_of_message(stream: &mut impl Read, mut message: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    message.extend(length);
    // The length includes itself.
    let rest = u64::from(u32::from_be_bytes(length)) - 4;
    let read = stream.take(rest).read_to_end(&mut message)?;
    if read as u64 == rest {
        Ok(message)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Returns the message that raises an error in place of `statement`; `None` for a statement that
/// never fails.
fn failure_of(statement: &[u8]) -> Option<Vec<u8>> {
    // The text follows the type and the length.
    let text = &statement[5..];
    let conflict = CONFLICTS[random_below(CONFLICTS.len())];
    // These statements cannot conflict with another transaction.
    let never_fails = [&b"ROLLBACK"[..], b"SET "];
    let sql = if never_fails.iter().any(|begin| text.starts_with(begin)) {
        return None;
    } else if text.starts_with(b"COMMIT") {
        // A failed commit ends its transaction.
        format!("ROLLBACK; {conflict}")
    } else {
        conflict.to_owned()
    };
    let length = u32::try_from(sql.len() + 5).unwrap();
    Some([&[QUERY][..], &length.to_be_bytes(), sql.as_bytes(), &[0]].concat())
}
