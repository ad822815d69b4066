//! Form that adds a note. The page of the order contains it too.

use pressline_backoffice::note::NoteDraft;
use pressline_domain::order::Order;

use super::{Form, answered};
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let draft = NoteDraft {
        order_id: visit.parameter("number").into(),
        text: visit.form().text("text"),
    };
    let notes = &visit.services().notes;
    let added = notes.add(visit.scope(), &draft, visit.operator()).await;
    answered(&visit, added.map(|_| "Note added."), &[], form).await
}

pub(crate) fn form(_: &SignedInRequest, _: &Order, fields: &Fields) -> Result<Form> {
    let text = FormField::lines("text", "New note", fields.get("text")).required();
    Ok(Form::new("Add note", "notes", vec![text]))
}
