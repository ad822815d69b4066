//! A request, and what is kept of its response.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{AsHeaderName, HeaderMap};
use pressline_kit::url::UrlPolicy;

/// A request with the method POST.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// Where it is sent.
    pub url: &'a str,
    /// Headers besides `Host`, `User-Agent` and `Content-Length`.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// What the URL and the addresses must comply with.
    pub policy: &'a UrlPolicy,
    /// How long it may take, and how much of the response is read.
    pub limits: Limits,
}

/// A request with the method GET, whose response is read as it is asked for.
#[derive(Debug, Clone)]
pub struct Get<'a> {
    /// Where it is sent.
    pub url: &'a str,
    /// Headers besides `Host` and `User-Agent`.
    pub headers: HeaderMap,
    /// What the URL and the addresses must comply with.
    pub policy: &'a UrlPolicy,
    /// Time from the beginning of the request until the head of the response is complete.
    pub timeout: Duration,
}

/// How long a request may take, and how much of the response is read.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time from the beginning of the request until the response has been read.
    pub timeout: Duration,
    /// Most bytes of a body that are read. The connection is closed after a longer one.
    pub read: usize,
    /// Most bytes of a body that are kept.
    pub kept: usize,
}

impl Limits {
    /// Returns limits with this timeout that read 64 kB of a body and keep 1 kB.
    pub const fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            read: 64 * 1024,
            kept: 1024,
        }
    }
}

/// A response whose head was complete. Its body may have been longer, or cut.
#[derive(Debug, Clone)]
pub struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Returns the status.
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Returns the first value of a header if it is ASCII without control characters.
    pub fn header(&self, name: impl AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the beginning of the body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}
