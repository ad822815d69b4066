//! Commands that move items: hold, release, start, put back, ask the store, resolve, cancel.

use pressline_domain::check::Field;
use pressline_domain::fulfilment::{Action, NeedCode};
use pressline_domain::order::request::{ItemNameDraft, MoveDraft, OrderToMoveDraft};
use pressline_domain::order::{MoveResult, Order, OrderError};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::{Form, ITEM, VERSION, answered, obstacle, refused, ticks};
use crate::pages::order::action_name;
use crate::shell::view::local_time;
use crate::shell::{Answer, Fields, FormErrors, FormField, Result, SignedInRequest};

const COMMAND: &str = "command";
/// Field that is `all` for all items of the order. Any other value selects single items.
const SCOPE: &str = "scope";

const ENDS: [(&str, &str); 2] = [
    ("return", "They go on"),
    ("cancelled", "They are cancelled"),
];

const COMMANDS: [(Action, &str); 7] = [
    (Action::Start, "Started."),
    (Action::PutBack, "Put back."),
    (Action::Hold, "On hold."),
    (Action::Release, "Released."),
    (Action::Cancel, "Cancelled."),
    (Action::Need, "The store was asked."),
    (Action::Resolve, "Resolved."),
];

fn named(fields: &Fields) -> Result<(Action, &'static str)> {
    let mut commands = COMMANDS.into_iter();
    let found = commands.find(|(action, _)| action.as_str() == fields.get(COMMAND));
    found.ok_or_else(|| RequestError::new(Code::NotFound, "there is no such command"))
}

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let (action, message) = named(visit.form())?;
    let (fields, is_chosen) = (visit.form(), visit.form().get(SCOPE) != "all");
    // Without items, the command would concern the whole order.
    if is_chosen && !fields.has(ITEM) {
        let errors = FormErrors::of_field(ITEM, "select at least one item");
        return refused(&visit, errors, form).await;
    }
    let moved = move_order(&visit, &draft(&visit, action)).await;
    let done = moved.map(|result| match result {
        MoveResult::Moved => message,
        MoveResult::Unchanged => "Nothing changed.",
    });
    answered(&visit, done, &[], form).await
}

/// Moves the items of the single order in `draft`.
pub(crate) async fn move_order(
    visit: &SignedInRequest,
    draft: &MoveDraft,
) -> Result<MoveResult, OrderError> {
    let (orders, by) = (&visit.services().orders, visit.by());
    let moved = orders.move_orders(visit.scope(), draft, &by);
    let mut orders = moved.await?.orders.into_iter();
    orders.next().ok_or(OrderError::NotFound)?.result
}

fn draft(visit: &SignedInRequest, action: Action) -> MoveDraft {
    let fields = visit.form();
    let order = OrderToMoveDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        line_items: fields.has(ITEM).then(|| items(fields)).into(),
    };
    values(fields, visit, of_order(action, order))
}

pub(crate) fn of_order(action: Action, order: OrderToMoveDraft) -> MoveDraft {
    MoveDraft {
        command: action.as_str().into(),
        orders: Field::Value(vec![Field::Value(order)]),
        ..MoveDraft::default()
    }
}

pub(crate) fn items(fields: &Fields) -> Vec<Field<ItemNameDraft>> {
    let items = fields.all(ITEM).map(|id| ItemNameDraft {
        app_item_id: id.into(),
    });
    items.map(Field::Value).collect()
}

pub(crate) fn values(fields: &Fields, visit: &SignedInRequest, draft: MoveDraft) -> MoveDraft {
    MoveDraft {
        reason: fields.text("reason"),
        until: local_time(fields.get("until"), visit.zone()),
        keep_fees: fields.tick("keepFees"),
        code: fields.text("code"),
        text: fields.text("text"),
        amount: fields.text("amount"),
        to: fields.text("to"),
        ..draft
    }
}

pub(crate) fn form(visit: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let (action, _) = named(fields)?;
    let items = ticks(visit, order, fields, action);
    let form = Form {
        is_destructive: action == Action::Cancel,
        obstacle: obstacle(order, action, items.is_empty()),
        items,
        ..Form::new(action_name(action), "move", questions(action, fields))
    };
    let form = form.fixed(COMMAND, action.as_str());
    // A form without selected items must be refused, and not concern the whole order.
    Ok(form.fixed(SCOPE, "selected"))
}

pub(crate) fn keep_fees(fields: &Fields) -> FormField {
    let label = "Charge the items all the same";
    FormField::tick("keepFees", label, fields.has("keepFees"))
}

pub(crate) fn questions(action: Action, fields: &Fields) -> Vec<FormField> {
    let get = |name| fields.get(name);
    let reason = FormField::line("reason", "Reason", get("reason"));
    let keep = keep_fees(fields);
    match action {
        Action::Hold => vec![
            reason.required(),
            FormField::timestamp("until", "Until", get("until"))
                .hint("In your time zone; without it, the hold has no end"),
        ],
        Action::PutBack => vec![reason.required()],
        Action::Cancel => vec![reason.required(), keep],
        Action::Need => vec![
            FormField::choice("code", "What is needed", get("code"), need_codes()),
            FormField::lines("text", "The same in words", get("text")),
            FormField::line("amount", "Fee to approve", get("amount"))
                .hint("Only for a fee, in the order's currency, such as 4.50"),
            reason,
        ],
        Action::Resolve => vec![
            FormField::choice("to", "What becomes of the items", get("to"), ENDS),
            keep,
            reason,
        ],
        _ => vec![reason],
    }
}

fn need_codes() -> Vec<(&'static str, &'static str)> {
    let words = |code: NeedCode| match code {
        NeedCode::AddressInvalid => "Another address",
        NeedCode::OutOfStock => "Another product: out of stock",
        NeedCode::FileUnprintable => "Another print file",
        NeedCode::LabelInvalid => "Another label",
        NeedCode::FeeApproval => "The approval of a fee",
        NeedCode::Other => "Something else",
    };
    let codes = NeedCode::ALL.into_iter();
    codes.map(|code| (code.as_str(), words(code))).collect()
}
