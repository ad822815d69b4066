//! The form that adds a note. The page of the order has it too.

use pressline_domain::order::Order;
use pressline_domain::order::request::NoteDraft;

use super::{Form, answered, first};
use crate::form::{Fields, Question};
use crate::route::Answer;
use crate::visit::Visit;

pub(crate) async fn show(visit: Visit) -> Answer {
    first(visit, form).await
}

pub(crate) async fn submit(visit: Visit) -> Answer {
    let draft = NoteDraft {
        order_id: visit.parameter("number").into(),
        text: visit.form().text("text"),
    };
    let notes = &visit.services().notes;
    let added = notes.add(visit.reach(), &draft, visit.operator()).await;
    answered(visit, added, &[], |_| "Note added.".to_owned(), form).await
}

fn form(_: &Visit, _: &Order, fields: &Fields) -> Form {
    let text = Question::lines("text", "New note", fields.get("text")).required();
    Form::new("Add note", "notes", vec![text])
}
