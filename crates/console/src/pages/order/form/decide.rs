//! Form for the decision on a change that the store has requested.

use pressline_domain::check::Field;
use pressline_domain::fulfilment::ChangeKind;
use pressline_domain::order::Order;
use pressline_domain::order::request::DecideDraft;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::moves::keep_fees;
use super::{DECIDE, Form, VERSION, answered};
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

pub(crate) const DECISION: &str = "decision";
const CHANGE: &str = "changeId";

/// Print shop's decision on a requested change: value of the form field [`DECISION`], heading of
/// the form, and message after the decision.
pub(crate) type Decision = (&'static str, &'static str, &'static str);

const DECISIONS: [Decision; 3] = [
    ("approve", "Approve", "Approved."),
    ("refuse", "Refuse", "Refused."),
    ("ask", "Ask about the request", "The store was asked."),
];

pub(crate) fn named(fields: &Fields) -> Result<&'static Decision> {
    let mut decisions = DECISIONS.iter();
    decisions
        .find(|(word, ..)| *word == fields.get(DECISION))
        .ok_or_else(|| RequestError::new(Code::NotFound, "there is no such decision"))
}

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let (decision, _, message) = *named(fields)?;
    let draft = DecideDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        decision: decision.into(),
        change_id: fields.text(CHANGE),
        reason: fields.text("reason"),
        text: fields.text("text"),
        keep_fees: fields.tick("keepFees"),
        dry_run: Field::Absent,
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    let decided = orders.change.decide_change(visit.scope(), &draft, &by);
    answered(&visit, decided.await.map(|_| message), &[], form).await
}

pub(crate) fn form(_: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let (word, name, _) = *named(fields)?;
    let pending = order.state.pending.as_ref();
    let is_cancel = pending.is_some_and(|pending| pending.request.kind() == ChangeKind::Cancel);
    let reason = FormField::line("reason", "Reason", fields.get("reason"));
    let questions = match word {
        // Only cancelled items can be charged nevertheless.
        "approve" if is_cancel => vec![keep_fees(fields), reason],
        "approve" => vec![reason],
        "refuse" => vec![reason.required()],
        _ => vec![FormField::lines("text", "Question", fields.get("text")).required()],
    };
    // The change that the operator has seen, even if another change is pending by now.
    let change = match (fields.get(CHANGE), pending) {
        ("", Some(pending)) => pending.id.to_string(),
        (seen, _) => seen.to_owned(),
    };
    let form = Form {
        obstacle: pending.is_none().then(|| "no change is pending".to_owned()),
        ..Form::new(name, DECIDE, questions)
    };
    Ok(form.fixed(DECISION, word).fixed(CHANGE, change))
}
