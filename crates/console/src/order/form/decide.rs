//! The decision about the change that a store has asked for.

use pressline_domain::field::Field;
use pressline_domain::fulfilment::ChangeKind;
use pressline_domain::order::Order;
use pressline_domain::order::request::DecideDraft;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::{Form, VERSION, answered, first};
use crate::form::{Fields, Question};
use crate::route::Answer;
use crate::visit::Visit;

const DECISION: &str = "decision";
const CHANGE: &str = "changeId";

/// Decision, name of its form, message after it.
type Decision = (&'static str, &'static str, &'static str);

const DECISIONS: [Decision; 3] = [
    ("approve", "Approve", "Approved."),
    ("refuse", "Refuse", "Refused."),
    ("ask", "Ask about the request", "The store was asked."),
];

fn named(fields: &Fields) -> Result<&'static Decision, RequestError> {
    let mut decisions = DECISIONS.iter();
    let found = decisions.find(|(word, ..)| *word == fields.get(DECISION));
    found.ok_or_else(|| RequestError::new(Code::NotFound, "there is no such decision"))
}

pub(crate) async fn show(visit: Visit) -> Answer {
    let decision = named(visit.query())?;
    first(visit, |_, order, fields| form(decision, order, fields)).await
}

pub(crate) async fn submit(visit: Visit) -> Answer {
    let decision = named(visit.form())?;
    let fields = visit.form();
    let draft = DecideDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        decision: decision.0.into(),
        change_id: fields.text(CHANGE),
        reason: fields.text("reason"),
        text: fields.text("text"),
        keep_fees: match fields.has("keepFees") {
            true => Field::Value(true),
            false => Field::Absent,
        },
        dry_run: Field::Absent,
    };
    let orders = &visit.services().orders;
    let decided = orders
        .decide_change(visit.reach(), &draft, &visit.by())
        .await;
    let make = |_: &Visit, order: &Order, fields: &Fields| form(decision, order, fields);
    answered(visit, decided, &[], |_| decision.2.to_owned(), make).await
}

fn form((word, name, _): &Decision, order: &Order, fields: &Fields) -> Form {
    let pending = order.state.pending.as_ref();
    let is_cancel = pending.is_some_and(|pending| pending.request.kind() == ChangeKind::Cancel);
    let reason = Question::line("reason", "Reason", fields.get("reason"));
    let questions = match *word {
        "approve" if is_cancel => {
            let label = "Charge the items all the same";
            let keep = Question::tick("keepFees", label, fields.has("keepFees"));
            vec![keep, reason]
        }
        "approve" => vec![reason],
        "refuse" => vec![reason.required()],
        _ => vec![Question::lines("text", "Question", fields.get("text")).required()],
    };
    // The change that the operator has seen, not the one that may be pending by then.
    let change = match fields.get(CHANGE) {
        "" => pending
            .map(|pending| pending.id.to_string())
            .unwrap_or_default(),
        seen => seen.to_owned(),
    };
    Form {
        obstacle: pending.is_none().then(|| "no change is pending".to_owned()),
        ..Form::new(name, "decide", questions)
    }
    .fixed(DECISION, *word)
    .fixed(CHANGE, change)
}
