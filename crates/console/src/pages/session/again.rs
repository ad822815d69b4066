//! Forms that can be sent again: after sign-in, after a confirmation, or by the current session.

use askama::Template;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::send_again::SendAgainPage;
use super::sign_in::SignInPage;
use crate::shell::access::Method;
use crate::shell::form::carried::CarriedForm;
use crate::shell::request::IncomingRequest;
use crate::shell::session::cookie::Cookie;
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Reply, Result, SignedInRequest,
};

/// Keeps the page or form for after the sign-in, except a form that can have a file.
pub(crate) fn sign_in_first(received: &IncomingRequest) -> Answer {
    if received.route.method == Method::Get {
        let fields = Fields::new([("return", received.address.as_str())]);
        return Ok(Reply::redirect(fields.address("/console/sign-in")));
    }
    let carried = carried(received);
    let message = if received.route.uploads {
        "Your session has ended. Files are not kept: sign in, and choose the file again."
    } else if carried.is_some() {
        "Your session has ended. What you typed is kept: sign in, and send it again."
    } else {
        "Your session has ended. What you sent could not be kept."
    };
    let cookie = carried.as_ref().and_then(CarriedForm::cookie);
    let page = SignInPage {
        carried,
        notice: message,
        // The operator chooses the file again on the form's page.
        return_to: match received.route.uploads {
            true => received.address.clone(),
            false => String::new(),
        },
        ..SignInPage::empty()
    };
    let reply = Reply::refused(Code::PermissionDenied, &page)?;
    Ok(match cookie {
        Some(value) => reply.with_cookie(Cookie::Form.set(&value, received.transport)),
        None => reply,
    })
}

/// Returns `None` if the form can have a file, or if [`CarriedForm::of_form`] refuses it.
fn carried(received: &IncomingRequest) -> Option<CarriedForm> {
    let carried = CarriedForm::of_form(&received.address, &received.form);
    carried.filter(|_| !received.route.uploads)
}

/// Asks whether to send a form that belongs to another session of the operator, such as a session
/// before a sign-in in another window.
pub(crate) fn of_another_session(visit: &SignedInRequest) -> Answer {
    // A token of another session proves nothing, so another operator's form is not shown.
    let own = carried(&visit.received).filter(|carried| carried.operator == visit.operator().id);
    let Some(carried) = own else {
        let message = "the form belongs to another session; open the page again and send it there";
        return Err(RequestError::new(Code::Forbidden, message));
    };
    let page = SendAgainPage {
        frame: visit.frame(&["Send again?"])?,
        reason: "You have signed in again since you opened the form.",
        carried: &carried,
    };
    Reply::refused(Code::Forbidden, &page)
}

pub(crate) fn confirm_first(visit: &SignedInRequest) -> Answer {
    let Some(carried) = carried(&visit.received) else {
        let message =
            "the form is too large to be kept while you confirm who you are; confirm first";
        return Err(RequestError::new(Code::Forbidden, message));
    };
    let page = ConfirmPage::new(visit, &carried, None)?;
    Reply::refused(Code::Forbidden, &page)
}

#[derive(Template)]
#[template(path = "confirm.html")]
pub(super) struct ConfirmPage<'a> {
    frame: Frame,
    has_password: bool,
    carried: &'a CarriedForm,
    pub(super) errors: Option<FormErrors>,
}

impl<'a> ConfirmPage<'a> {
    pub(super) fn new(
        visit: &SignedInRequest,
        carried: &'a CarriedForm,
        errors: Option<FormErrors>,
    ) -> Result<Self> {
        Ok(Self {
            frame: visit.frame(&["Confirm that it is you"])?,
            has_password: visit.session.signed_in.has_password,
            carried,
            errors,
        })
    }
}
