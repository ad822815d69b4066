//! What is noted about a call on its way, for the headers of its response and its line in the log.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::{HttpMessage, HttpRequest};
use pressline_domain::id::StoreId;
use uuid::Uuid;

use crate::budget::Share;
use crate::in_flight::Permit;
use crate::limit::Quota;

/// The header that names a call.
pub const REQUEST_ID: &str = "x-request-id";
/// Most characters of a request id that is taken over.
const REQUEST_ID_LEN: usize = 128;

/// The notes about one call.
#[derive(Default)]
pub struct Notes {
    /// The store, once it is known to have made the call.
    pub store: Option<StoreId>,
    /// What is left of the store's quota.
    pub quota: Option<Quota>,
    /// What the body has taken of the budget of all bodies: it is held until the call ends.
    pub body: Option<Share>,
    /// The call's permit among those of its store that are being served.
    pub permit: Option<Permit>,
    /// The body that nobody read, or not to its end.
    ///
    /// It is kept until the response is sent. Actix drains a chunked body that was dropped before,
    /// for as long as it trickles in, and so would hold the connection; of one that is still there
    /// it sees that it must close.
    pub unread: Option<Payload>,
}

/// The notes as the request carries them. A call is served on one thread.
#[derive(Clone, Default)]
pub struct RequestContext(Rc<RefCell<Notes>>);

impl RequestContext {
    /// The context of a request; one that leads nowhere where no middleware laid it.
    pub fn of(request: &HttpRequest) -> Self {
        request
            .extensions()
            .get::<Self>()
            .cloned()
            .unwrap_or_default()
    }

    /// Changes the notes.
    pub fn note<T>(&self, note: impl FnOnce(&mut Notes) -> T) -> T {
        note(&mut self.0.borrow_mut())
    }

    /// Reads the notes.
    pub fn read<T>(&self, read: impl FnOnce(&Notes) -> T) -> T {
        read(&self.0.borrow())
    }
}

/// The call's id: the caller's own where it is fit for logs and headers, else a new one.
pub fn request_id(headers: &HeaderMap) -> String {
    let given = headers
        .get(REQUEST_ID)
        .and_then(|value| value.to_str().ok());
    match given {
        Some(given) if is_request_id(given) => given.to_owned(),
        _ => Uuid::now_v7().to_string(),
    }
}

fn is_request_id(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=REQUEST_ID_LEN).contains(&text.len()) && text.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use crate::context::*;

    #[test]
    fn request_ids_are_taken_over_where_they_are_fit() {
        for (text, fit) in [
            ("a", true),
            ("A-z_0.9", true),
            (&"x".repeat(128), true),
            (&"x".repeat(129), false),
            ("", false),
            ("a b", false),
            ("a/b", false),
            ("ä", false),
        ] {
            assert_eq!(is_request_id(text), fit, "{text}");
        }
    }
}
