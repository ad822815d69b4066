//! Response, with a body to read on demand.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{AsHeaderName, HeaderMap};
use pressline_kit::url::Target;
use tokio::time::timeout;

use crate::connection::Connection;
use crate::error::{EgressError, elapsed};
use crate::pool::Pool;

/// Response to a `GET` request. Its body is read piece by piece. Dropping the response before the
/// end of the body closes the connection.
pub struct Download {
    status: u16,
    headers: HeaderMap,
    body: Incoming,
    /// `None` after the whole body was read.
    connection: Option<Connection>,
    target: Target,
    pool: Arc<Pool>,
}

impl Download {
    pub(crate) fn new(
        response: hyper::Response<Incoming>,
        connection: Connection,
        target: Target,
        pool: Arc<Pool>,
    ) -> Self {
        let (head, body) = response.into_parts();
        Self {
            status: head.status.as_u16(),
            headers: head.headers,
            body,
            connection: Some(connection),
            target,
            pool,
        }
    }

    /// Returns the HTTP status code, such as `200`.
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Returns the first value of the header `name`; `None` if missing or not printable ASCII.
    pub fn header(&self, name: impl AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the next piece of the body, never empty; `None` at the end of the body.
    ///
    /// # Errors
    /// Returns [`EgressError::Timeout`] if no piece arrives within the time `within`. Returns
    /// [`EgressError::Tls`], [`EgressError::Closed`] or [`EgressError::InvalidResponse`] if the
    /// body ends too early.
    pub async fn next(&mut self, within: Duration) -> Result<Option<Bytes>, EgressError> {
        loop {
            let late = |_| EgressError::Timeout(elapsed("the next piece of the body", within));
            let frame = timeout(within, self.body.frame()).await;
            let Some(result) = frame.map_err(late)? else {
                self.release();
                return Ok(None);
            };
            let frame = result.map_err(EgressError::of_exchange)?;
            // Skips trailers.
            match frame.into_data() {
                Ok(data) if !data.is_empty() => return Ok(Some(data)),
                Ok(_) | Err(_) => {}
            }
        }
    }

    fn release(&mut self) {
        // Called at the end of the body, so that the connection can carry another request.
        let open = self.connection.take();
        if let Some(connection) = open.filter(|connection| !connection.is_closed()) {
            self.pool.keep(&self.target, connection);
        }
    }
}
