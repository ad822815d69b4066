//! A proxy before PostgreSQL that lets statements fail and connections break.
//!
//! It reads the client's messages of PostgreSQL's protocol (source: "Message Formats" in PostgreSQL's
//! documentation). Messages that belong together end with a `Query` or a `Sync`. To fail them, the proxy
//! sends in their place a statement that raises an error, so that the state of the transaction in the
//! server is that of a real error: what was to be done is not done.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::common::random_below;

/// Of a hundred statements, how many fail, and at how many the connection is cut.
const FAILING: usize = 20;
const CUT: usize = 1;

const QUERY: u8 = b'Q';
const SYNC: u8 = b'S';
const PASSWORD: u8 = b'p';

/// Statements that raise what two transactions in each other's way raise.
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
    /// Listens for clients of a server at `host:port`. Nothing fails yet.
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

    /// How many statements failed, and how many connections were cut.
    pub(super) fn counts(&self) -> (usize, usize) {
        let of = |count: &AtomicUsize| count.load(Ordering::SeqCst);
        (of(&self.faults.failed), of(&self.faults.cut))
    }
}

impl Faults {
    /// Passes messages on until one side ends the connection or the proxy cuts it.
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
                        // Half of the statements are carried out, and only their results are lost.
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
                // The statement goes on.
                _ => continue,
            }
            server.write_all(&statement)?;
            statement.clear();
        }
    }
}

/// Reads the length of a message and what follows it.
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

/// The message that raises an error in the place of a statement; none for one that never fails.
fn failure_of(statement: &[u8]) -> Option<Vec<u8>> {
    // After the type and the length.
    let text = &statement[5..];
    let conflict = CONFLICTS[random_below(CONFLICTS.len())];
    // Neither has anything to be in conflict with.
    let never_fails = [&b"ROLLBACK"[..], b"SET "];
    let sql = if never_fails.iter().any(|begin| text.starts_with(begin)) {
        return None;
    } else if text.starts_with(b"COMMIT") {
        // A commit that fails ends its transaction.
        format!("ROLLBACK; {conflict}")
    } else {
        conflict.to_owned()
    };
    let length = u32::try_from(sql.len() + 5).unwrap();
    Some([&[QUERY][..], &length.to_be_bytes(), sql.as_bytes(), &[0]].concat())
}
