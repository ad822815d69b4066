//! Changing a store.

use super::draft::draft;
use super::page::StorePage;
use super::{administered, id, load, path, which};
use crate::form::FormErrors;
use crate::message::Message;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

pub(crate) async fn save(visit: Visit) -> Answer {
    let id = id(&visit)?;
    let saved = administered(&visit)
        .set(&which(id), &draft(visit.form()))
        .await;
    let Err(error) = saved else {
        let message = Message::status("Saved. It takes effect within 5 s.");
        return Ok(Reply::redirect(path(id)).with_message(message));
    };
    let errors = FormErrors::of(error)?;
    let code = errors.code;
    let record = load(&visit).await?;
    let page = StorePage::with_errors(&visit, &record, errors).await?;
    Reply::refused(code, &page)
}

pub(crate) async fn disable(visit: Visit) -> Answer {
    let message =
        "The store is disabled: within 5 s its calls are refused. Its orders stay as they are.";
    set_enabled(&visit, false, message).await
}

pub(crate) async fn enable(visit: Visit) -> Answer {
    set_enabled(&visit, true, "The store is enabled.").await
}

async fn set_enabled(visit: &Visit, is_enabled: bool, message: &str) -> Answer {
    let id = id(visit)?;
    let stores = administered(visit);
    stores.set_enabled(&which(id), is_enabled).await?;
    Ok(Reply::redirect(path(id)).with_message(Message::status(message)))
}
