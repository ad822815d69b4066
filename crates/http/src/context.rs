//! Notes that are taken about a call while it is served, for the headers of its response and its
//! log line.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use pressline_backoffice::operator::AuthenticatedOperator;
use pressline_domain::value::StoreId;
use uuid::Uuid;

use crate::budget::Share;
use crate::in_flight::Permit;
use crate::limit::Quota;
use crate::request_error::RequestError;

/// Header with the id of a call. Callers may set the id in the request; responses always have it.
pub const REQUEST_ID: &str = "x-request-id";
const REQUEST_ID_LEN: usize = 128;

/// Function that renders an error as an HTML page. The `&str` is the request id. The function's
/// caller adds the status and headers of the error to the response.
pub type ErrorPage = Rc<dyn Fn(&RequestError, &str) -> HttpResponse>;

/// Notes for the response headers and the log line of a call, and resources that the call holds.
#[derive(Default)]
pub struct Notes {
    /// Id of the call, as in `X-Request-Id`.
    pub request_id: String,
    /// The store that calls or, for an operator's call, the store that it concerns. `None` before
    /// authentication, and for a call that concerns no single store.
    pub store: Option<StoreId>,
    /// Operator of the bearer token; `None` before authentication, and for calls without a token.
    pub operator: Option<Arc<AuthenticatedOperator>>,
    /// Name of the operator for the log, if the call has a session; otherwise `None`.
    pub user: Option<Rc<str>>,
    /// Function that renders errors as pages for people; if `None`, errors are JSON.
    pub error_page: Option<ErrorPage>,
    /// Remaining quota of the caller; `None` before the quota is checked, and without a rate limit.
    pub quota: Option<Quota>,
    /// The request body's share of the [`BodyBudget`](crate::budget::BodyBudget), held until the
    /// call ends; `None` before the body has been read.
    pub body: Option<Share>,
    /// Permit to serve the call, which counts towards the caller's concurrent calls. `None` before
    /// the call is admitted, and after it has been served.
    pub permit: Option<Permit>,
    /// Request body that was not read to its end; otherwise `None`.
    ///
    /// The body must be kept until the response is sent: if it is dropped earlier, actix reads the
    /// rest of a chunked body, and blocks the connection until the client stops. If the body still
    /// exists when the response ends, actix closes the connection.
    pub unread: Option<Payload>,
}

/// [`Notes`] about a call, shared through the request's extensions. The notes are not thread-safe,
/// because a call is served on one thread.
#[derive(Clone, Default)]
pub struct RequestContext(Rc<RefCell<Notes>>);

impl RequestContext {
    /// Returns the context of `request`; an empty context if no middleware has added one.
    pub fn from_request(request: &HttpRequest) -> Self {
        request
            .extensions()
            .get::<Self>()
            .cloned()
            .unwrap_or_default()
    }

    /// Passes the notes to `note`, which may change them, and returns the result of `note`.
    pub fn note<T>(&self, note: impl FnOnce(&mut Notes) -> T) -> T {
        note(&mut self.0.borrow_mut())
    }

    /// Passes the notes to `read`, and returns the result of `read`.
    pub fn read<T>(&self, read: impl FnOnce(&Notes) -> T) -> T {
        read(&self.0.borrow())
    }
}

/// Returns the value of `X-Request-Id` in `headers` if it is safe in logs and headers, otherwise a
/// new UUID. Safe are 1 to 128 ASCII letters, digits, dots, hyphens and underscores.
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
    use actix_web::http::header::{HeaderName, HeaderValue};
    use actix_web::test::TestRequest;

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

    #[test]
    fn a_caller_keeps_its_own_id_and_others_get_a_new_one_each() {
        let header = HeaderName::from_static(REQUEST_ID);
        let mut headers = HeaderMap::new();
        headers.insert(header.clone(), HeaderValue::from_static("shop-1.42"));
        assert_eq!(request_id(&headers), "shop-1.42");
        for unfit in ["", "two words", "new\tline"] {
            headers.insert(header.clone(), HeaderValue::from_static(unfit));
            let (first, second) = (request_id(&headers), request_id(&headers));
            assert_ne!(first, second);
            let id: Uuid = first.parse().unwrap();
            assert_eq!(id.get_version_num(), 7);
        }
    }

    #[test]
    fn a_context_is_shared_by_all_that_get_it_from_a_request() {
        let request = TestRequest::default().to_http_request();
        RequestContext::from_request(&request).note(|notes| notes.request_id = "lost".to_owned());
        assert_eq!(
            RequestContext::from_request(&request).read(|notes| notes.request_id.clone()),
            "",
            "no middleware has added a context"
        );
        request.extensions_mut().insert(RequestContext::default());
        RequestContext::from_request(&request).note(|notes| notes.request_id = "kept".to_owned());
        assert_eq!(
            RequestContext::from_request(&request).read(|notes| notes.request_id.clone()),
            "kept"
        );
    }
}
