//! A form sent twice, by a double click or a repeating browser, returns its first result.

use pressline_backoffice::operator::{FormClaim, FormKey, FormService};
use pressline_domain::value::FormId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::form::{ONCE, is_own_address};
use crate::shell::message::Message;
use crate::shell::reply::{Kind, Reply};
use crate::shell::request::SignedInRequest;
use crate::shell::route::{Answer, SignedHandler};

/// Calls `handler`. If the form was sent before, repeats the first answer instead. A form without
/// the field [`ONCE`] is handled each time.
pub(crate) async fn answer(visit: SignedInRequest, handler: SignedHandler) -> Answer {
    let id = visit.form().get(ONCE);
    if id.is_empty() {
        return handler(visit).await;
    }
    let form: FormId = id.parse().map_err(|_| {
        RequestError::new(
            Code::ValidationFailed,
            "once: not the id of a form of this console",
        )
    })?;
    let key = FormKey {
        operator: visit.operator().id,
        form,
    };
    let forms = visit.services().forms.clone();
    // Claimed before the handler runs, so that a repetition meanwhile does nothing.
    match forms.claim(key).await? {
        FormClaim::First => {}
        // The first request may still run or have been interrupted: its action must not run twice.
        FormClaim::Unfinished => return Err(unfinished()),
        FormClaim::Done(result) => return first_result(&result),
    }
    let answer = handler(visit).await;
    remember(&forms, key, &answer).await;
    answer
}

/// Stores nothing if the form was refused, so that it can be sent again.
async fn remember(forms: &FormService, key: FormKey, answer: &Answer) {
    let remembered = match answer {
        Ok(reply) => match written(reply) {
            Some(result) => forms.results.finish(key, &result).await,
            None => forms.results.give_up(key).await,
        },
        // After an error of the service, the action may have been done.
        Err(error) if Code::is_ours(error.code.status().as_u16()) => Ok(()),
        Err(_) => forms.results.give_up(key).await,
    };
    if let Err(error) = remembered {
        // The form is already answered: its result is only missing if it is sent again.
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "the result of a form was not stored");
    }
}

fn unfinished() -> RequestError {
    let message = "this form was sent before, and its result is not known yet; try again in a time, or look \
                   whether it has done what it should before you open its page again";
    RequestError::unavailable(message)
}

/// Encodes the redirect for repetitions of the form that `reply` answers: the path in the first
/// line, the message in the second. Returns `None` if `reply` has no redirect.
fn written(reply: &Reply) -> Option<String> {
    let (path, reply_message) = match (&reply.kind, &reply.repeated) {
        (Kind::Redirect(path), _) => (path, reply.message.as_ref()),
        (_, Some((path, message))) => (path, Some(message)),
        (_, None) => return None,
    };
    let message = reply_message.map(Message::encoded);
    Some(format!("{path}\n{}", message.unwrap_or_default()))
}

/// Decodes `result`, the output of [`written`].
fn first_result(result: &str) -> Answer {
    let (path, message) = result.split_once('\n').unwrap_or((result, ""));
    // A changed row must not make the console redirect to another site.
    if !is_own_address(path) {
        return Err(RequestError::internal(
            "the stored result of a form is not a path of this console",
        ));
    }
    let reply = Reply::redirect(path);
    Ok(match Message::decode(message) {
        Some(message) => reply.with_message(message),
        None => reply,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_as_it_was_written() {
        for message in [
            None,
            Some(Message::status("Added.")),
            Some(Message::alert("ä\nb")),
        ] {
            let mut reply = Reply::redirect("/console/orders/SUN-1");
            reply.message.clone_from(&message);
            let read = first_result(&written(&reply).unwrap()).unwrap();
            assert_eq!(read.message, message);
            assert!(matches!(read.kind, Kind::Redirect(path) if path == "/console/orders/SUN-1"));
        }
        assert!(first_result("https://evil.example").is_err());
    }
}
