//! Requests, and the kept part of their responses.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{AsHeaderName, HeaderMap};
use pressline_kit::url::UrlPolicy;

/// `POST` request. Its [`Limits`] bound how much of the response body is read and kept.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// URL of the receiver, as a store or an operator entered it.
    pub url: &'a str,
    /// Headers in addition to `Host`, `User-Agent` and `Content-Length`.
    pub headers: HeaderMap,
    /// Body of the request, sent as it is.
    pub body: Bytes,
    /// Rules that the URL and all addresses of its host must meet.
    pub policy: &'a UrlPolicy,
    /// Time limit of the request, and size limits of the response body.
    pub limits: Limits,
}

/// `GET` request. The response body is read on demand, see [`Download`](crate::Download).
#[derive(Debug, Clone)]
pub struct Get<'a> {
    /// URL of the receiver, as a store or an operator entered it.
    pub url: &'a str,
    /// Headers in addition to `Host` and `User-Agent`.
    pub headers: HeaderMap,
    /// Rules that the URL and all addresses of its host must meet.
    pub policy: &'a UrlPolicy,
    /// Maximum time from the start of the request until the head of the response is complete.
    pub timeout: Duration,
}

/// Limits for the time of a [`Post`] and for the size of its response.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum time from the start of the request until the response has been read.
    pub timeout: Duration,
    /// Maximum number of bytes of the response body to read. If the body has at least this size,
    /// the connection is closed.
    pub read: usize,
    /// Maximum number of bytes of the response body to keep, for [`Response::body`].
    pub kept: usize,
}

impl Limits {
    /// Returns limits with the time limit `timeout`: 64 KiB of a body are read, and 1 KiB is kept.
    pub const fn new(timeout: Duration) -> Self {
        Self {
            timeout,
            read: 64 * 1024,
            kept: 1024,
        }
    }
}

/// Response to a [`Post`]: its head, and the beginning of its body. The rest of the body is not
/// kept, or was not received.
#[derive(Debug, Clone)]
pub struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Returns the HTTP status code, such as `200`.
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Returns the first value of the header `name`; `None` if missing or not printable ASCII.
    pub fn header(&self, name: impl AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the beginning of the body, at most [`Limits::kept`] bytes.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}
