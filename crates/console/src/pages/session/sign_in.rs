//! Sign-in by name and password, or by a link.

use askama::Template;
use pressline_backoffice::operator::OpenedSession;
use pressline_http::request_error::RequestError;

use super::send_again::SendAgainPage;
use crate::shell::form::carried::CarriedForm;
use crate::shell::form::{RETURN, is_own_address};
use crate::shell::request::{IncomingRequest, PublicRequest};
use crate::shell::session::Session;
use crate::shell::session::cookie::Cookie;
use crate::shell::session::keys::SessionKeys;
use crate::shell::{Answer, ErrorList, FormErrors, FormField, Frame, Message, Reply, Result};

const HOME: &str = "/console";
const LINK: &str = "link";
/// Name of the query field that makes the sign-in page say that the operator has signed out.
pub(super) const SIGNED_OUT: &str = "signedOut";

#[derive(Template)]
#[template(path = "sign_in.html")]
pub(super) struct SignInPage {
    pub(super) frame: Frame,
    pub(super) notice: &'static str,
    pub(super) name: String,
    /// Sign-in link that the page's button uses; empty if the page asks for name and password.
    pub(super) link: String,
    pub(super) return_to: String,
    pub(super) carried: Option<CarriedForm>,
    pub(super) errors: Option<FormErrors>,
}

impl SignInPage {
    pub(super) fn empty() -> Self {
        Self {
            frame: Frame::bare(&["Sign in"]),
            notice: "",
            name: String::new(),
            link: String::new(),
            return_to: String::new(),
            carried: None,
            errors: None,
        }
    }
}

/// Shows the sign-in page. A sign-in link in the query stays valid, because programs that preview
/// links open this page too.
pub(crate) async fn show(guest: PublicRequest) -> Answer {
    let query = &guest.received.query;
    let return_to = own_or_home(query.get(RETURN));
    let link = query.get(LINK).to_owned();
    // A sign-in link may be another operator's, so it is shown in spite of a session.
    if guest.session.is_some() && link.is_empty() {
        return Ok(Reply::redirect(return_to));
    }
    let notice = if query.has(SIGNED_OUT) {
        "You have signed out."
    } else {
        ""
    };
    Reply::page(&SignInPage {
        notice,
        link,
        return_to,
        ..SignInPage::empty()
    })
}

/// Shows the kept form of an ended session after the sign-in, or redirects to the requested page.
pub(crate) async fn sign_in(guest: PublicRequest) -> Answer {
    let PublicRequest { received, session } = guest;
    let form = &received.form;
    let cookie_form = || CarriedForm::of_cookie(received.kept_form.as_deref()?);
    // A sign-in link is opened without the form's fields: only the cookie keeps them.
    let carried = CarriedForm::of_carrier(form).or_else(cookie_form);
    let opened = match open(&received).await {
        Ok(opened) => opened,
        Err(error) => {
            let page = SignInPage {
                name: form.get("name").to_owned(),
                link: form.get(LINK).to_owned(),
                return_to: form.get(RETURN).to_owned(),
                carried,
                errors: Some(FormErrors::from_error(error)?),
                ..SignInPage::empty()
            };
            return Reply::form(&page, page.errors.as_ref());
        }
    };
    // The browser forgets the former session, which must not stay valid.
    if let Some(former) = session {
        let (sessions, client) = (&received.console.services.sessions, received.client());
        sessions.sign_out(&former.signed_in, &client).await?;
    }
    let text = opened.text.expose().to_owned();
    let keys =
        SessionKeys::for_session(&text).ok_or_else(|| RequestError::internal("no session keys"))?;
    let session = Session {
        signed_in: opened.signed_in.into(),
        keys,
    };
    let reply = opened_reply(&received, &session, carried)?;
    // The kept form is shown or refused by now, so its cookie must not reach a later sign-in.
    Ok(reply
        .with_cookie(Cookie::Session.set(&text, received.transport))
        .with_cookie(Cookie::Form.clear(received.transport)))
}

async fn open(received: &IncomingRequest) -> Result<OpenedSession> {
    let (form, client) = (&received.form, received.client());
    let sessions = &received.console.services.sessions;
    let link = secret_of(form.get(LINK));
    let opened = if link.is_empty() {
        let (name, password) = (form.get("name"), form.get("password"));
        sessions.sign_in(name, password, &client).await
    } else {
        sessions.sign_in_by_link(link, &client).await
    };
    Ok(opened?)
}

/// Returns the secret in `link`, which is the whole sign-in URL, or the secret alone.
fn secret_of(link: &str) -> &str {
    let secret = link.rsplit_once("link=");
    secret.map_or(link, |(_, secret)| secret).trim()
}

fn opened_reply(
    received: &IncomingRequest,
    session: &Session,
    carried: Option<CarriedForm>,
) -> Result<Reply> {
    let Some(carried) = carried else {
        let path = own_or_home(received.form.get(RETURN));
        return Ok(Reply::redirect(path));
    };
    if carried.operator != session.signed_in.operator.id {
        let message = Message::alert(
            "Another operator had filled in the form that was open. It was not sent, and is not shown.",
        );
        // Sealed here, because the request's own session is the former one or none.
        let value = message.sealed(&session.keys);
        let cookie = Cookie::Message.set(&value, received.transport);
        return Ok(Reply::redirect(HOME).with_cookie(cookie));
    }
    let frame = Frame::of_session(&received.console, session, &["Send again?"], None)?;
    Reply::page(&SendAgainPage {
        frame,
        reason: "You are signed in again. The form has not been sent yet.",
        carried: &carried,
    })
}

fn own_or_home(path: &str) -> String {
    // A link to the sign-in page must not lead to another site afterwards.
    let path = if is_own_address(path) { path } else { HOME };
    path.to_owned()
}
