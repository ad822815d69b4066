//! Sign-in, sign-out, and confirmation of the operator's identity.

pub(crate) mod again;
mod send_again;
mod sign_in;

use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::form::carried::CarriedForm;
use crate::shell::session::cookie::Cookie;
use crate::shell::{Access, Answer, FormErrors, Reply, Route, SignedInRequest, open, signed};
use again::ConfirmPage;
use send_again::SendAgainPage;
use sign_in::{SIGNED_OUT, show, sign_in};

pub(crate) async fn sign_out(visit: SignedInRequest) -> Answer {
    let (sessions, client) = (&visit.services().sessions, visit.received.client());
    // Removing the cookie alone would leave a copy of it valid.
    sessions.sign_out(&visit.session.signed_in, &client).await?;
    let transport = visit.received.transport;
    // The query has the notice, because without a session no message can be signed.
    Ok(Reply::redirect(format!("/console/sign-in?{SIGNED_OUT}=1"))
        .with_cookie(Cookie::Session.clear(transport))
        .with_cookie(Cookie::Message.clear(transport)))
}

/// Checks the password, then shows the form that required the confirmation, to send it again.
pub(crate) async fn confirm(visit: SignedInRequest) -> Answer {
    let carried = CarriedForm::of_carrier(visit.form());
    // The sent form can name any operator, so the claim is checked.
    let own = carried.filter(|carried| carried.operator == visit.operator().id);
    let Some(carried) = own else {
        let message = "there is no form to be confirmed; open the page again and send it there";
        return Err(RequestError::new(Code::ValidationFailed, message));
    };
    let (sessions, client) = (&visit.services().sessions, visit.received.client());
    let password = visit.form().get("password");
    let confirmed = sessions.confirm(&visit.session.signed_in, password, &client);
    if let Err(error) = confirmed.await {
        let page = ConfirmPage::new(&visit, &carried, Some(FormErrors::from_error(error)?))?;
        return Reply::form(&page, page.errors.as_ref());
    }
    Reply::page(&SendAgainPage {
        frame: visit.frame(&["Send again?"])?,
        reason: "Thank you. The form has not been sent yet.",
        carried: &carried,
    })
}

pub(crate) const ROUTES: &[Route] = &[
    Route::action(
        "/console/confirm",
        "Confirm",
        Access::SignedIn,
        signed!(confirm),
    ),
    Route::page("/console/sign-in", "Sign in", Access::Open, open!(show)),
    Route::action("/console/sign-in", "Sign in", Access::Open, open!(sign_in)),
    Route::action(
        "/console/sign-out",
        "Sign out",
        Access::SignedIn,
        signed!(sign_out),
    ),
];
