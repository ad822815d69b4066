//! The session of a request, by its cookie.

use std::sync::Arc;

use actix_web::http::header::HeaderMap;
use pressline_domain::operator::Activity;
use pressline_http::request_error::RequestError;

use super::Session;
use super::cookie::Cookie;
use super::keys::SessionKeys;
use super::transport::Transport;
use crate::console::Console;
use crate::form::Fields;

/// Set in requests by which a page polls for news.
pub(crate) const POLL: &str = "poll";

pub(super) async fn find(
    console: &Console,
    headers: &HeaderMap,
    transport: Transport,
    query: &Fields,
) -> Result<Option<Session>, RequestError> {
    let Some(text) = Cookie::Session.read(headers, transport) else {
        return Ok(None);
    };
    let activity = if query.has(POLL) {
        Activity::Poll
    } else {
        Activity::Action
    };
    let signed_in = console
        .services
        .sessions
        .authenticate(text, activity)
        .await?;
    Ok(signed_in
        .zip(SessionKeys::of(text))
        .map(|(signed_in, keys)| Session {
            signed_in: Arc::new(signed_in),
            keys,
        }))
}
