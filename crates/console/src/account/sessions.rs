//! The operator's sessions, in all its browsers.

use pressline_domain::id::SessionId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::PATH;
use crate::message::Message;
use crate::reply::Reply;
use crate::route::Answer;
use crate::time::When;
use crate::visit::Visit;

pub(super) struct SessionRow {
    pub(super) id: SessionId,
    pub(super) client: String,
    pub(super) signed_in: When,
    pub(super) last_used: When,
    pub(super) is_this: bool,
}

pub(super) async fn rows(visit: &Visit) -> Result<Vec<SessionRow>, RequestError> {
    let signed_in = &visit.session.signed_in;
    let zone = &signed_in.preferences.time_zone;
    let sessions = visit.services().sessions.sessions(signed_in).await?;
    let rows = sessions.into_iter().map(|session| SessionRow {
        id: session.id,
        client: session.client.to_string(),
        signed_in: When::in_zone(session.signed_in_at, zone),
        last_used: When::in_zone(session.last_used_at, zone),
        is_this: session.id == signed_in.session.id,
    });
    Ok(rows.collect())
}

pub(crate) async fn revoke_session(visit: Visit) -> Answer {
    let id = visit.form().get("session").parse();
    let id: SessionId = id.map_err(|_| no_such_session())?;
    let (sessions, client) = (&visit.services().sessions, visit.received.client());
    let signed_in = &visit.session.signed_in;
    if !sessions.revoke(signed_in, id, &client).await? {
        return Err(no_such_session());
    }
    Ok(Reply::redirect(PATH).with_message(Message::status("The session has ended.")))
}

fn no_such_session() -> RequestError {
    RequestError::new(
        Code::NotFound,
        "you have no such session; it may have ended already",
    )
}
