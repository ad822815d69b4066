//! Commands that move items: hold, release, start, put back, ask the store, resolve, cancel.

use pressline_domain::check::{self, IssueCode, Path, Report};
use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Command, MoveField, MoveRule, NeedCode};
use pressline_domain::order::request::MoveValues;
use pressline_domain::order::{MoveResult, Order, OrderError};
use pressline_domain::value::ItemId;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::{Form, ITEM, VERSION, answered, obstacle, refused, ticks};
use crate::shell::view::local_time;
use crate::shell::{Answer, Fields, FormErrors, FormField, Result, SignedInRequest};

const COMMAND: &str = "command";
/// Field that is `all` for all items of the order. Any other value selects single items.
const SCOPE: &str = "scope";

const ENDS: [(&str, &str); 2] = [
    ("return", "They go on"),
    ("cancelled", "They are cancelled"),
];

/// Returns the labels of all commands of this form, in the sequence of an order's actions.
pub(crate) fn labels() -> Vec<&'static str> {
    let mut commands: Vec<_> = Command::offered_to(Role::Operator)
        .iter()
        .filter(|command| command.rule().moving().is_some())
        .collect();
    commands.sort_by_key(|command| command.only_cancels());
    commands
        .into_iter()
        .map(|command| command.label())
        .collect()
}

/// Returns the labels of the commands that the queue offers for many items.
pub(crate) fn bulk_labels() -> Vec<&'static str> {
    let commands = Command::moving().filter(|(_, rule)| rule.bulk.is_some());
    commands.map(|(command, _)| command.label()).collect()
}

fn named(fields: &Fields) -> Result<(Command, &'static MoveRule)> {
    let mut commands = Command::moving();
    let command = commands.find(|(command, _)| command.as_str() == fields.get(COMMAND));
    command.ok_or_else(|| RequestError::new(Code::NotFound, "there is no such command"))
}

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let (command, rule) = named(visit.form())?;
    let (fields, is_chosen) = (visit.form(), visit.form().get(SCOPE) != "all");
    // Without items, the command would concern the whole order.
    if is_chosen && !fields.has(ITEM) {
        let errors = FormErrors::of_field(ITEM, "select at least one item");
        return refused(&visit, errors, form).await;
    }
    let moved = move_named(&visit, command).await;
    let result = moved.map(|result| match result {
        MoveResult::Moved => rule.done,
        MoveResult::Unchanged => "Nothing changed.",
    });
    answered(&visit, result, &[], form).await
}

async fn move_named(visit: &SignedInRequest, command: Command) -> Result<MoveResult, OrderError> {
    let fields = visit.form();
    let items = fields.has(ITEM).then(|| items(fields)).transpose()?;
    let order = (visit.parameter("number"), version(fields)?);
    give(visit, command, order, items.as_deref(), fields).await
}

/// Gives `command` with the values in `fields` for `items` of an order, which has a name and a
/// version; `None` stands for all items and any version.
pub(crate) async fn give(
    visit: &SignedInRequest,
    command: Command,
    order: (&str, Option<u32>),
    items: Option<&[ItemId]>,
    fields: &Fields,
) -> Result<MoveResult, OrderError> {
    let given = values(fields, visit).check(command)?;
    let (orders, by) = (&visit.services().orders, visit.by());
    let moved = orders
        .moves
        .move_order(visit.scope(), order, items, &given, &by);
    moved.await
}

/// Returns the version of the order when the form was rendered.
pub(crate) fn version(fields: &Fields) -> Result<Option<u32>, Report> {
    let mut report = Report::default();
    let path = Path::Root.key(VERSION);
    let version = check::version(&fields.integer(VERSION), &path, &mut report);
    report.check()?;
    Ok(version)
}

pub(crate) fn items(fields: &Fields) -> Result<Vec<ItemId>, Report> {
    let ids = fields.all(ITEM).map(|id| {
        id.parse().map_err(|_| {
            let mut report = Report::default();
            let message = "the order has no such item; reload the page and select again";
            report.violation(&Path::Root.key(ITEM), IssueCode::UnknownItem, message);
            report
        })
    });
    ids.collect()
}

pub(crate) fn values(fields: &Fields, visit: &SignedInRequest) -> MoveValues {
    MoveValues {
        reason: fields.text("reason"),
        until: local_time(fields.get("until"), visit.zone()),
        keep_fees: fields.tick("keepFees"),
        code: fields.text("code"),
        text: fields.text("text"),
        amount: fields.text("amount"),
        to: fields.text("to"),
    }
}

pub(crate) fn form(visit: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let (command, _) = named(fields)?;
    let items = ticks(visit, order, fields, command);
    let form = Form {
        is_destructive: command.only_cancels(),
        obstacle: obstacle(order, command, items.is_empty()),
        items,
        ..Form::new(command.label(), "move", questions(command, fields))
    }
    .fixed(COMMAND, command.as_str());
    // A form without selected items must be refused, and not concern the whole order.
    Ok(form.fixed(SCOPE, "selected"))
}

pub(crate) fn keep_fees(fields: &Fields) -> FormField {
    let label = "Charge the items all the same";
    FormField::tick("keepFees", label, fields.has("keepFees"))
}

/// Returns a form field for each field of the command; empty if the command does not move items.
pub(crate) fn questions(command: Command, fields: &Fields) -> Vec<FormField> {
    let asked = command.rule().moving().map_or(&[][..], |rule| rule.fields);
    let question = |field: &MoveField| match field {
        MoveField::Reason if command.needs_reason(Role::Operator) => {
            question(*field, fields).required()
        }
        field => question(*field, fields),
    };
    asked.iter().map(question).collect()
}

fn question(field: MoveField, fields: &Fields) -> FormField {
    let name = field.as_str();
    let value = fields.get(name);
    match field {
        MoveField::Reason => FormField::line(name, "Reason", value),
        MoveField::Until => FormField::timestamp(name, "Until", value)
            .hint("In your time zone; without it, the hold has no end"),
        MoveField::KeepFees => keep_fees(fields),
        MoveField::Code => FormField::choice(name, "What is needed", value, need_codes()),
        MoveField::Text => FormField::lines(name, "The same in words", value),
        MoveField::Amount => FormField::line(name, "Fee to approve", value)
            .hint("Only for a fee, in the order's currency, such as 4.50"),
        MoveField::To => FormField::choice(name, "What becomes of the items", value, ENDS),
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
