//! Actions on a webhook endpoint.

use pressline_backoffice::webhook::{
    DeliveryStatus, EnableDraft, EndpointView, RecoverDraft, ResendDraft, WebhookError,
};

use super::endpoint::{failure, load, path, which};
use super::page::EndpointPage;
use crate::shell::view::local_time;
use crate::shell::{Answer, FormErrors, Message, Reply, SignedInRequest};

pub(crate) async fn test(visit: SignedInRequest) -> Answer {
    let view = load(&visit).await?;
    let endpoints = visit.services().endpoints.by(visit.author());
    let tested = endpoints.test(visit.operator(), &which(&view)).await;
    let message = tested.map(|delivery| {
        let result = &delivery.result;
        let status = result
            .http_status
            .map(|status| format!(" (HTTP {status})"))
            .unwrap_or_default();
        match (result.status(), result.error) {
            (DeliveryStatus::Failed, Some(error)) => Message::alert(format!(
                "The test was not taken: {}{status}.",
                failure(error)
            )),
            _ => Message::status(format!("The test was taken{status}.")),
        }
    });
    answered(&visit, &view, "test", message).await
}

pub(crate) async fn resend(visit: SignedInRequest) -> Answer {
    let view = load(&visit).await?;
    let draft = ResendDraft {
        delivery_id: visit.form().text("deliveryId"),
        store_id: which(&view).store_id,
    };
    let endpoints = visit.services().endpoints.by(visit.author());
    let sent = endpoints.resend(visit.operator(), &draft).await;
    let message = sent.map(|count| match count {
        0 => {
            Message::alert("Nothing is sent: the endpoint no longer receives events of this store.")
        }
        _ => Message::status("The event is sent again."),
    });
    answered(&visit, &view, "resend", message).await
}

pub(crate) async fn recover(visit: SignedInRequest) -> Answer {
    let view = load(&visit).await?;
    let which = which(&view);
    let draft = RecoverDraft {
        webhook_id: which.webhook_id,
        store_id: which.store_id,
        from_time: local_time(visit.form().get("fromTime"), visit.zone()),
        ..RecoverDraft::default()
    };
    let endpoints = visit.services().endpoints.by(visit.author());
    let queued = endpoints.recover(visit.operator(), &draft).await;
    let message = queued.map(|count| match count {
        1 => Message::status("1 event is sent again."),
        count => Message::status(format!("{count} events are sent again.")),
    });
    answered(&visit, &view, "recover", message).await
}

pub(crate) async fn enable(visit: SignedInRequest) -> Answer {
    let view = load(&visit).await?;
    let draft = EnableDraft {
        which: which(&view),
        from: visit.form().text("from"),
        ..EnableDraft::default()
    };
    let endpoints = visit.services().endpoints.by(visit.author());
    let enabled = endpoints.enable(visit.operator(), &draft).await;
    let message = enabled.map(|_| Message::status("The endpoint is enabled."));
    answered(&visit, &view, "enable", message).await
}

pub(crate) async fn disable(visit: SignedInRequest) -> Answer {
    let view = load(&visit).await?;
    let endpoints = visit.services().endpoints.by(visit.author());
    let disabled = endpoints.disable(visit.operator(), &which(&view)).await;
    let message = disabled.map(|_| Message::status("The endpoint is disabled."));
    answered(&visit, &view, "disable", message).await
}

async fn answered(
    visit: &SignedInRequest,
    view: &EndpointView,
    form: &str,
    result: Result<Message, WebhookError>,
) -> Answer {
    match result {
        Ok(message) => {
            let page = path(view.record.endpoint.id);
            Ok(Reply::redirect(page).with_message(message))
        }
        Err(error) => {
            // Several forms of the page, and its filters, have fields of the same name.
            let errors = FormErrors::from_error(error)?.within(form);
            EndpointPage::new(visit, view, Some(errors)).await?.reply()
        }
    }
}
