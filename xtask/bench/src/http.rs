//! Parser of HTTP/1.1 response heads, and a client for single requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::error::BenchError;

const TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Bytes of the head, including the empty line.
    pub(crate) length: usize,
    pub(crate) body: usize,
    /// Whether the server closes the connection after this response.
    pub(crate) close: bool,
}

impl Head {
    /// Parses the head at the start of `bytes`; returns `None` while it is incomplete.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Self>, BenchError> {
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut response = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(length) = response.parse(bytes)? else {
            return Ok(None);
        };
        let header = |name: &str| {
            let mut headers = response.headers.iter();
            let header = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
            std::str::from_utf8(header.value).ok()
        };
        Ok(Some(Self {
            status: response.code.ok_or("a response has no status")?,
            length,
            // Bodies are read by their length only, not by chunks.
            body: header("content-length")
                .ok_or("a response names no length")?
                .parse()?,
            close: header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")),
        }))
    }
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    head: Vec<u8>,
    body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(&self) -> Result<Value, BenchError> {
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// Value of the header `name`. The name must be in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = std::str::from_utf8(&self.head).ok()?.lines();
        lines.find_map(|line| {
            let (given, value) = line.split_once(':')?;
            given.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub(crate) fn ok(self) -> Result<Self, BenchError> {
        if self.status == 200 {
            return Ok(self);
        }
        let body = String::from_utf8_lossy(&self.body);
        Err(format!("status {}: {body}", self.status).into())
    }
}

pub(crate) fn call(address: SocketAddr, request: &[u8]) -> Result<Response, BenchError> {
    exchange(&mut TcpStream::connect_timeout(&address, TIMEOUT)?, request)
}

/// Sends `request` over `stream` and reads the response.
pub(crate) fn exchange(stream: &mut TcpStream, request: &[u8]) -> Result<Response, BenchError> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.write_all(request)?;
    let mut bytes = Vec::new();
    let mut chunk = [0_u8; 16 * 1024];
    loop {
        if let Some(head) = Head::parse(&bytes)?
            && bytes.len() >= head.length + head.body
        {
            let body = bytes.split_off(head.length);
            return Ok(Response {
                status: head.status,
                head: bytes,
                body,
            });
        }
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Err("the connection ended within a response".into());
        }
        bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
    }
}
