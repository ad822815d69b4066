//! The operator's password.

use pressline_domain::operator::SessionError;

use super::{AccountPage, PATH};
use crate::form::FormErrors;
use crate::message::Message;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

/// Also ends the operator's other sessions.
pub(crate) async fn set_password(visit: Visit) -> Answer {
    let form = visit.form();
    // Passwords are taken as they are typed, with their white space.
    let current = Some(form.get("current")).filter(|current| !current.is_empty());
    let client = visit.received.client();
    let sessions = &visit.services().sessions;
    let changed =
        sessions.set_password(&visit.session.signed_in, current, form.get("new"), &client);
    let Err(error) = changed.await else {
        let message = Message::status("The password is set. Your other sessions have ended.");
        return Ok(Reply::redirect(PATH).with_message(message));
    };
    let errors = match field_of(&error) {
        Some(field) => FormErrors::of_field(field, error.to_string()),
        None => FormErrors::of(error)?,
    };
    let code = errors.code;
    let page = AccountPage {
        wrong_password: Some(errors),
        ..AccountPage::of(&visit).await?
    };
    Reply::refused(code, &page)
}

fn field_of(error: &SessionError) -> Option<&'static str> {
    match error {
        SessionError::Unfit(_) => Some("new"),
        SessionError::Denied | SessionError::CurrentNeeded => Some("current"),
        _ => None,
    }
}
