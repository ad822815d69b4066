//! Streamed response bodies. If sending a body fails, the reason is logged.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::request_error::chain;

/// Logs an error of sending, because the call was logged as successful when the response began.
pub(crate) struct Streamed {
    pub(crate) body: BoxBody,
    pub(crate) request_id: Box<str>,
}

impl MessageBody for Streamed {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let next = Pin::new(&mut self.body).poll_next(context);
        next.map_err(|error| {
            let (request_id, reason) = (&*self.request_id, chain(&*error));
            tracing::error!(
                request_id,
                reason,
                "a response was cut off while it was sent"
            );
            // The framework closes the connection and logs this error as well, so the reason is not
            // repeated.
            io::Error::other("the response was cut off").into()
        })
    }
}
