//! The commands that move items: hold, release, start, put back, ask the store, resolve, cancel.

use pressline_domain::event::Role;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::{Action, NeedCode, allowed_actions_of, missing_condition};
use pressline_domain::order::request::{ItemNameDraft, MoveDraft, OrderToMoveDraft};
use pressline_domain::order::{MoveResult, Order, OrderError};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::{Form, ITEM, VERSION, answered, first, refused, ticks};
use crate::form::{Fields, FormErrors, Question};
use crate::route::Answer;
use crate::view::local_moment;
use crate::visit::Visit;

const COMMAND: &str = "command";
/// `all`, or the chosen items.
const SCOPE: &str = "scope";

struct Command {
    action: Action,
    name: &'static str,
    /// Message after the command.
    done: &'static str,
}

const COMMANDS: [Command; 7] = [
    command(Action::Start, "Start", "Started."),
    command(Action::PutBack, "Put back", "Put back."),
    command(Action::Hold, "Hold", "On hold."),
    command(Action::Release, "Release", "Released."),
    command(Action::Cancel, "Cancel items", "Cancelled."),
    command(Action::Need, "Ask the store", "The store was asked."),
    command(Action::Resolve, "Resolve", "Resolved."),
];

const fn command(action: Action, name: &'static str, done: &'static str) -> Command {
    Command { action, name, done }
}

fn named(fields: &Fields) -> Result<&'static Command, RequestError> {
    let mut commands = COMMANDS.iter();
    let found = commands.find(|command| command.action.as_str() == fields.get(COMMAND));
    found.ok_or_else(|| RequestError::new(Code::NotFound, "there is no such command"))
}

pub(crate) async fn show(visit: Visit) -> Answer {
    let command = named(visit.query())?;
    first(visit, |visit, order, fields| {
        form(command, visit, order, fields)
    })
    .await
}

pub(crate) async fn submit(visit: Visit) -> Answer {
    let command = named(visit.form())?;
    let make = |visit: &Visit, order: &Order, fields: &Fields| form(command, visit, order, fields);
    let (fields, is_chosen) = (visit.form(), visit.form().get(SCOPE) != "all");
    if is_chosen && !fields.has(ITEM) {
        let errors = FormErrors::of_field(ITEM, "select at least one item");
        return refused(visit, errors, make).await;
    }
    let result = give(&visit, &draft(&visit, command.action)).await;
    let message = |result| match result {
        MoveResult::Moved => command.done.to_owned(),
        MoveResult::Unchanged => "It was so already.".to_owned(),
    };
    answered(visit, result, &[], message, make).await
}

async fn give(visit: &Visit, draft: &MoveDraft) -> Result<MoveResult, OrderError> {
    let orders = &visit.services().orders;
    let moved = orders
        .move_orders(visit.reach(), draft, &visit.by())
        .await?;
    let mut orders = moved.orders.into_iter();
    // The draft has one order, so that there is one result.
    orders.next().ok_or(OrderError::NotFound)?.result
}

fn draft(visit: &Visit, action: Action) -> MoveDraft {
    let fields = visit.form();
    let items = fields.all(ITEM).map(|id| {
        Field::Value(ItemNameDraft {
            app_item_id: id.into(),
        })
    });
    let items: Vec<_> = items.collect();
    let order = OrderToMoveDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        line_items: match items.is_empty() {
            true => Field::Absent,
            false => Field::Value(items),
        },
    };
    values(
        fields,
        visit,
        MoveDraft {
            command: action.as_str().into(),
            orders: Field::Value(vec![Field::Value(order)]),
            ..MoveDraft::default()
        },
    )
}

/// Adds the form's values to `draft`.
pub(crate) fn values(fields: &Fields, visit: &Visit, draft: MoveDraft) -> MoveDraft {
    MoveDraft {
        reason: fields.text("reason"),
        until: local_moment(fields.get("until"), visit.zone()),
        // A checkbox that is not ticked is not sent.
        keep_fees: match fields.has("keepFees") {
            true => Field::Value(true),
            false => Field::Absent,
        },
        code: fields.text("code"),
        text: fields.text("text"),
        amount: fields.text("amount"),
        to: fields.text("to"),
        ..draft
    }
}

fn form(command: &Command, visit: &Visit, order: &Order, fields: &Fields) -> Form {
    let now = visit.services().clock.now();
    let is_allowed = |id| {
        let item = order.state.item(id);
        item.is_some_and(|item| {
            let allowed = allowed_actions_of(order, item, Role::Operator, now);
            allowed
                .iter()
                .any(|allowed| allowed.action == command.action)
        })
    };
    let items = ticks(order, fields, is_allowed);
    let reason = || missing_condition(order, Role::Operator, command.action);
    Form {
        is_destructive: command.action == Action::Cancel,
        obstacle: items.is_empty().then(reason),
        items,
        ..Form::new(command.name, "move", questions(command.action, fields))
    }
    .fixed(COMMAND, command.action.as_str())
    .fixed(SCOPE, "selected")
}

pub(crate) fn questions(action: Action, fields: &Fields) -> Vec<Question> {
    let get = |name| fields.get(name);
    let reason = Question::line("reason", "Reason", get("reason"));
    let keep = Question::tick(
        "keepFees",
        "Charge the items all the same",
        fields.has("keepFees"),
    );
    match action {
        Action::Hold => vec![
            reason.required(),
            Question::moment("until", "Until", get("until"))
                .hint("In your time zone; without it, the hold has no end"),
        ],
        Action::PutBack => vec![reason.required()],
        Action::Cancel => vec![reason.required(), keep],
        Action::Need => vec![
            Question::choice("code", "What is needed", get("code"), need_codes()),
            Question::lines("text", "The same in words", get("text")),
            Question::line("amount", "Fee to approve", get("amount"))
                .hint("Only for a fee, in the order's currency, such as 4.50"),
            reason,
        ],
        Action::Resolve => vec![
            Question::choice(
                "to",
                "What becomes of the items",
                get("to"),
                [
                    ("return", "They go on"),
                    ("cancelled", "They are cancelled"),
                ],
            ),
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
