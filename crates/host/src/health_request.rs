//! Minimal HTTP client for the health paths of a server on this machine.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Maximum size of a response, in bytes. Responses of the health paths have some hundred bytes.
const RESPONSE_BYTES: u64 = 64 * 1024;

/// Sends `GET path` to `address`, and returns status and body. Blocks the thread.
///
/// # Errors
/// Returns an error if there is no complete HTTP/1.1 response within `timeout`.
pub fn get(address: SocketAddr, path: &str, timeout: Duration) -> io::Result<(u16, String)> {
    let end = Instant::now() + timeout;
    let mut connection = TcpStream::connect_timeout(&address, timeout)?;
    connection.set_write_timeout(Some(timeout))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes())?;
    let mut response = Vec::new();
    let mut part = [0; 4096];
    loop {
        // The timeout is for the whole response, not for each read.
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        connection.set_read_timeout(Some(left))?;
        let length = connection.read(&mut part)?;
        response.extend(part.iter().take(length));
        // With `Connection: close` the response ends with the connection.
        if length == 0 || response.len() as u64 > RESPONSE_BYTES {
            return parse(&String::from_utf8_lossy(&response));
        }
    }
}

fn parse(response: &str) -> io::Result<(u16, String)> {
    let (head, body) = response.split_once("\r\n\r\n").unwrap_or_default();
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.get(..3)?.parse().ok())
        .ok_or_else(|| io::Error::other("the response is not HTTP/1.1"))?;
    Ok((status, body.to_owned()))
}

/// Returns `address` with the IPv4 loopback address in place of a wildcard such as `0.0.0.0`, so
/// that programs on this machine can connect to it.
pub fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    address
}
