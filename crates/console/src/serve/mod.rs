//! Serves a route: first every check that does not depend on the page, then its handler.
//!
//! The checks have the same order as in the operator API: head, size and media type of the body,
//! session, rate limit, access, content.

mod once;
mod origin;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CONTENT_TYPE, HOST, HeaderMap};
use actix_web::{HttpRequest, HttpResponse, web};
use pressline_backoffice::limits;
use pressline_backoffice::operator::{Activity, OperatorRole};
use pressline_http::Caller;
use pressline_http::body::BodyBounds;
use pressline_http::context::RequestContext;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;
use pressline_http::request_limits::{AdmittedHead, declared_length};

use crate::pages::session::again;
use crate::shell::access::{Access, Method, RouteInfo};
use crate::shell::console::Console;
use crate::shell::form::multipart::{self, MULTIPART, UploadedFile};
use crate::shell::form::{Fields, TOKEN};
use crate::shell::frame::error_pages;
use crate::shell::message::Message;
use crate::shell::reply::{Compress, Kind};
use crate::shell::request::{IncomingRequest, PublicRequest, SignedInRequest};
use crate::shell::result::Result;
use crate::shell::route::{Answer, Handler, Route, SignedHandler};
use crate::shell::session::Session;
use crate::shell::session::cookie::Cookie;
use crate::shell::session::keys::{SessionKeys, TokenOwner};
use crate::shell::session::transport::Transport;
use origin::is_same_origin;

const FORM: &str = "application/x-www-form-urlencoded";
/// Bounds of a form with a file: 64 KiB for fields besides the file, and enough time for a file of
/// 10 MiB at 2 Mbit/s.
const WITH_FILE: BodyBounds = BodyBounds {
    limit: limits::FILE + 64 * 1024,
    deadline: Duration::from_secs(60),
};

pub(crate) async fn serve(
    console: Console,
    route: &'static Route,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse> {
    let compress = Compress::from_request(&request);
    // Until the session is known, errors are shown without its frame.
    error_pages(
        &RequestContext::from_request(&request),
        &console,
        None,
        compress,
    );
    let guest = receive(console, &route.info, &request, payload).await?;
    let (session, transport) = (guest.session.clone(), guest.received.transport);
    let mut reply = answer(guest, route.handler, request.headers(), compress).await?;
    // A reply that opens a session has no message, because its keys differ from the request's.
    if let (Some(message), Some(session)) = (reply.message.take(), session) {
        let value = message.sealed(&session.keys);
        reply = reply.with_cookie(Cookie::Message.set(&value, transport));
    }
    Ok(reply.respond(compress))
}

async fn receive(
    console: Console,
    route: &'static RouteInfo,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<PublicRequest> {
    let headers = request.headers();
    let peer = peer(request);
    // Checked first, so that no form or cookie of a refused plain request is read.
    let Some(transport) = console.rule.transport(headers, peer) else {
        return Err(RequestError::new(Code::Forbidden, PLAIN_REFUSED));
    };
    let client = console.rule.client(headers, peer);
    let (form, file) = match route.method {
        Method::Get => (Fields::default(), None),
        Method::Post => receive_form(&console, route, request, payload).await?,
    };
    let query = Fields::parse(request.query_string());
    // Looked up after the form is read: without a session, the form's values are kept for later.
    let session = find_session(&console, headers, transport, &query).await?;
    let address = request.uri().path_and_query();
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let received = IncomingRequest {
        host: host.unwrap_or_default().to_owned(),
        address: address.map(ToString::to_string).unwrap_or_default(),
        parameters: Fields::new(request.match_info().iter()),
        context: RequestContext::from_request(request),
        console,
        route,
        query,
        form,
        file,
        kept_form: Cookie::Form.read(headers, transport).map(str::to_owned),
        client,
        transport,
    };
    Ok(PublicRequest { received, session })
}

fn peer(request: &HttpRequest) -> IpAddr {
    let peer = request.peer_addr().map(|address| address.ip());
    peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// Returns `None` if there is no session, or if the session cannot be read.
pub(crate) async fn session_of(console: &Console, request: &HttpRequest) -> Option<Session> {
    let headers = request.headers();
    let transport = console.rule.transport(headers, peer(request))?;
    let query = Fields::parse(request.query_string());
    find_session(console, headers, transport, &query)
        .await
        .ok()
        .flatten()
}

const PLAIN_REFUSED: &str = "the console is only served over https, except on the same machine: use its https \
                             address, or set operator.plain_http if the network is trusted";

async fn receive_form(
    console: &Console,
    route: &RouteInfo,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<(Fields, Option<UploadedFile>)> {
    let request_limits = &console.request_limits;
    let media_type = media_type(request.headers());
    let is_multipart = route.uploads && is_of(media_type, MULTIPART);
    // On other routes, multipart is an unsupported media type, and the smaller limit applies.
    if !is_multipart {
        let bounds = request_limits.body_bounds();
        let admitted = admit(request.headers(), FORM, bounds.limit);
        let ((), body) = request_limits
            .receive(request, payload, admitted, bounds)
            .await?;
        return Ok((Fields::parse(&String::from_utf8_lossy(&body)), None));
    }
    let admitted = admit(request.headers(), MULTIPART, WITH_FILE.limit);
    let received = request_limits.receive(request, payload, admitted, WITH_FILE);
    let ((), body) = received.await?;
    multipart::parse(media_type, body).await
}

fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok());
    text.unwrap_or_default()
}

fn is_of(media_type: &str, expected: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}

/// Returns the form's declared length. `expected` is the required media type, `limit` the maximum
/// size. Returns `forbidden` unless a console page sent the form.
fn admit(headers: &HeaderMap, expected: &str, limit: usize) -> Result<AdmittedHead<()>> {
    // These checks need only the head, so that a refused body is never read (ADR 8).
    let length = declared_length(headers, limit)?;
    if !is_of(media_type(headers), expected) {
        let message = "the console takes forms, as its own pages send them";
        return Err(RequestError::new(Code::UnsupportedMediaType, message));
    }
    if !is_same_origin(headers) {
        let message =
            "the form does not come from a page of this console; open the page and send it there";
        return Err(RequestError::new(Code::Forbidden, message));
    }
    Ok(AdmittedHead {
        length,
        credentials: (),
    })
}

async fn answer(
    guest: PublicRequest,
    handler: Handler,
    headers: &HeaderMap,
    compress: Compress,
) -> Answer {
    let handler = match handler {
        Handler::Open(handler) => return handler(guest).await,
        Handler::Signed(handler) => handler,
    };
    let PublicRequest { received, session } = guest;
    let Some(session) = session else {
        return again::sign_in_first(&received);
    };
    let context = received.context.clone();
    // From here on, errors are shown in the frame of the session.
    error_pages(&context, &received.console, Some(&session), compress);
    admit_session(&received, &session)?;
    let message = message_of(&received, headers, &session);
    let visit = SignedInRequest {
        received,
        session,
        message,
    };
    answer_signed_in(visit, handler, &context).await
}

/// Requires that the caller has checked the session's rate limit and the operator's access.
async fn answer_signed_in(
    visit: SignedInRequest,
    handler: SignedHandler,
    context: &RequestContext,
) -> Answer {
    let route = visit.received.route;
    // Pages change nothing, so they need no token.
    if route.method == Method::Post {
        match visit.session.keys.owner(visit.form().get(TOKEN)) {
            TokenOwner::ThisSession => {}
            TokenOwner::Another(_) => return again::of_another_session(&visit),
            TokenOwner::None => {
                let message =
                    "the form has no token of this session; open the page again and send it there";
                return Err(RequestError::new(Code::Forbidden, message));
            }
        }
    }
    let now = visit.services().clock.now();
    // After the token, so that only forms of this session are kept for the confirmation.
    if route.confirmed && !visit.session.signed_in.is_confirmed(now) {
        return again::confirm_first(&visit);
    }
    let caller = Caller::Session(visit.session.signed_in.session.id);
    let request_limits = visit.received.console.request_limits.clone();
    let size = visit.form().encoded().len();
    request_limits
        .enter(caller, route.kind, size, context)
        .await?;
    let (shown, transport) = (visit.message.is_some(), visit.received.transport);
    let (console, operator) = (visit.received.console.clone(), visit.operator().id);
    let answered = once::answer(visit, handler).await;
    if route.method == Method::Post {
        let now = console.services.clock.now();
        // Also after an error, because a part of the change may be done.
        console.overviews.note_change(operator, now);
    }
    let reply = answered?;
    // The message is shown once, by the page that it was left for.
    if shown && matches!(reply.kind, Kind::Page(..)) {
        return Ok(reply.with_cookie(Cookie::Message.clear(transport)));
    }
    Ok(reply)
}

fn admit_session(received: &IncomingRequest, session: &Session) -> Result<()> {
    let (context, route) = (&received.context, received.route);
    let operator = &session.signed_in.operator;
    // Noted before the checks, so that the log names the operator of a refused request, too.
    context.note(|notes| notes.user = Some(operator.name.as_str().into()));
    let caller = Caller::Session(session.signed_in.session.id);
    // Counted before the rights are checked, so that refused requests are limited, too.
    received
        .console
        .request_limits
        .check_rate(caller, context)?;
    if route.access.admits(operator) {
        return Ok(());
    }
    Err(forbidden(route.access, operator.role))
}

fn forbidden(access: Access, role: OperatorRole) -> RequestError {
    let message = match access.least_role() {
        Some(least) if !role.includes(least) => format!(
            "this needs the role `{}`; yours is `{}`",
            least.as_str(),
            role.as_str()
        ),
        _ => "this concerns all stores, and you are bound to some".to_owned(),
    };
    RequestError::new(Code::Forbidden, message)
}

/// Returns `None` for a sent form, or a query with [`POLL`], so that a later page shows the
/// message.
fn message_of(
    received: &IncomingRequest,
    headers: &HeaderMap,
    session: &Session,
) -> Option<Message> {
    if received.route.method == Method::Post || received.query.has(POLL) {
        return None;
    }
    let value = Cookie::Message.read(headers, received.transport)?;
    Message::open(value, &session.keys)
}

/// Query field that marks a request that a page sends by itself, to check for changes.
const POLL: &str = "poll";

async fn find_session(
    console: &Console,
    headers: &HeaderMap,
    transport: Transport,
    query: &Fields,
) -> Result<Option<Session>> {
    let Some(text) = Cookie::Session.read(headers, transport) else {
        return Ok(None);
    };
    // A page that polls does not count as use of the session.
    let activity = if query.has(POLL) {
        Activity::Poll
    } else {
        Activity::Action
    };
    let sessions = &console.services.sessions;
    let signed_in = sessions.authenticate(text, activity).await?;
    Ok(signed_in
        .zip(SessionKeys::for_session(text))
        .map(|(signed_in, keys)| Session {
            signed_in: Arc::new(signed_in),
            keys,
        }))
}
