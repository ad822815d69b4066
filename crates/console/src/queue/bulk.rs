//! Commands about many items: which items are meant, and what became of them.

use std::collections::BTreeMap;

use pressline_domain::field::Field;
use pressline_domain::fulfilment::Action;
use pressline_domain::limits;
use pressline_domain::order::request::{ItemNameDraft, MoveDraft, OrderToMoveDraft};
use pressline_domain::order::{MoveResult, OrderError};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::QUEUE;
use super::confirm::confirm;
use super::filter::first_items;
use super::list::page;
use crate::form::{Fields, FormErrors};
use crate::message::Message;
use crate::order::moves;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

/// The field of the checkboxes, each with the number of an order and the id of an item.
pub(super) const ITEM: &str = "item";
/// The field that says whether the chosen items are meant, or all that match.
const SCOPE: &str = "scope";
/// The field of a form that has been confirmed.
pub(super) const CONFIRMED: &str = "confirmed";
/// The field of the command.
pub(super) const COMMAND: &str = "command";
/// Maximum number of items of a command.
const MOST: usize = 2000;

/// A command about many items.
pub(super) struct BulkCommand {
    pub(super) action: Action,
    pub(super) name: &'static str,
    /// What the message says of the items that moved.
    done: &'static str,
    /// Whether it needs values, which are asked for.
    pub(super) asks: bool,
}

const COMMANDS: [BulkCommand; 4] = [
    command(Action::Start, "Start", "started", false),
    command(Action::PutBack, "Put back", "put back", true),
    command(Action::Hold, "Hold", "put on hold", true),
    command(Action::Need, "Ask the store", "waiting for the store", true),
];

const fn command(
    action: Action,
    name: &'static str,
    done: &'static str,
    asks: bool,
) -> BulkCommand {
    BulkCommand {
        action,
        name,
        done,
        asks,
    }
}

/// Items by the numbers of their orders.
pub(super) type Chosen = BTreeMap<String, Vec<String>>;

/// Gives a command about many items, or asks for what it needs first.
pub(crate) async fn submit(visit: Visit) -> Answer {
    let form = visit.form();
    let mut commands = COMMANDS.iter();
    let command = commands.find(|command| command.action.as_str() == form.get(COMMAND));
    let command = command
        .ok_or_else(|| RequestError::new(Code::NotFound, "the queue has no such command"))?;
    let is_all = form.get(SCOPE) == "all";
    let chosen = match is_all {
        true => all(&visit).await?,
        false => Ok(chosen(form)),
    };
    let chosen = match chosen {
        Ok(chosen) if chosen.is_empty() => {
            Err(FormErrors::of_field(ITEM, "select at least one item"))
        }
        chosen => chosen,
    };
    let chosen = match chosen {
        Ok(chosen) => chosen,
        Err(errors) => {
            let code = errors.code;
            return Reply::refused(code, &page(&visit, Some(errors)).await?);
        }
    };
    let is_confirmed = form.has(CONFIRMED);
    if !is_confirmed && (is_all || command.asks) {
        return confirm(&visit, command, &chosen, None);
    }
    match give(&visit, command, &chosen).await {
        Ok(outcome) => {
            let back = visit.return_to(QUEUE);
            Ok(Reply::redirect(back).with_message(outcome.message(command)))
        }
        Err(error) => confirm(&visit, command, &chosen, Some(FormErrors::of(error)?)),
    }
}

/// Returns the items whose checkboxes are ticked.
fn chosen(form: &Fields) -> Chosen {
    let mut chosen = Chosen::new();
    for value in form.all(ITEM) {
        let (order, item) = value.split_once('/').unwrap_or((value, ""));
        let items = chosen.entry(order.to_owned()).or_default();
        items.push(item.to_owned());
    }
    chosen
}

/// Returns all items that the address asks for, or why they are too many.
async fn all(visit: &Visit) -> Result<Result<Chosen, FormErrors>, RequestError> {
    let (found, has_more) = match first_items(visit, MOST).await {
        Ok(found) => found,
        Err(error) => return Ok(Err(FormErrors::of(error)?)),
    };
    let mut chosen = Chosen::new();
    for item in &found {
        if let Some((line, _)) = item.item() {
            let number = item.order.service_order_id.to_string();
            chosen.entry(number).or_default().push(line.id.to_string());
        }
    }
    if has_more || chosen.len() > limits::MOVED_ORDERS {
        let message = format!(
            "more than {MOST} items or {} orders match; narrow the filters, or select items",
            limits::MOVED_ORDERS
        );
        return Ok(Err(FormErrors::of_field(SCOPE, message)));
    }
    Ok(Ok(chosen))
}

/// What became of the items.
#[derive(Default)]
struct Outcome {
    moved: usize,
    unchanged: usize,
    /// Numbers of items that were refused, by why.
    refused: BTreeMap<String, usize>,
}

impl Outcome {
    fn message(&self, command: &BulkCommand) -> Message {
        let mut text = format!("{} {} {}.", self.moved, items(self.moved), command.done);
        if self.unchanged > 0 {
            text.push_str(&format!(" {} were so already.", self.unchanged));
        }
        if self.refused.is_empty() {
            return Message::status(text);
        }
        let number: usize = self.refused.values().sum();
        let reasons = self.refused.iter();
        let reasons: Vec<String> = reasons
            .map(|(reason, number)| format!("{number} {reason}"))
            .collect();
        Message::alert(format!("{text} {number} refused: {}.", reasons.join(", ")))
    }

    fn refuse(&mut self, reason: impl Into<String>, number: usize) {
        *self.refused.entry(reason.into()).or_default() += number;
    }
}

fn items(number: usize) -> &'static str {
    if number == 1 { "item" } else { "items" }
}

/// Gives a command. Where it is refused because of some items of an order, it is given again for the
/// others.
async fn give(
    visit: &Visit,
    command: &BulkCommand,
    chosen: &Chosen,
) -> Result<Outcome, OrderError> {
    let mut outcome = Outcome::default();
    let mut left = chosen.clone();
    while !left.is_empty() {
        let draft = draft(visit, command, &left);
        let orders = &visit.services().orders;
        let moved = orders
            .move_orders(visit.reach(), &draft, &visit.by())
            .await?;
        let mut again = Chosen::new();
        for order in moved.orders {
            let asked = left.remove(&order.order_id).unwrap_or_default();
            match order.result {
                Ok(MoveResult::Moved) => outcome.moved += asked.len(),
                Ok(MoveResult::Unchanged) => outcome.unchanged += asked.len(),
                Err(OrderError::IllegalTransition { from, items, .. }) => {
                    let cannot: Vec<String> = items.iter().map(ToString::to_string).collect();
                    let (cannot, can): (Vec<_>, Vec<_>) =
                        asked.into_iter().partition(|id| cannot.contains(id));
                    outcome.refuse(from.as_str(), cannot.len());
                    // Each turn has fewer items, so that it ends.
                    if !can.is_empty() && !cannot.is_empty() {
                        again.insert(order.order_id, can);
                    }
                }
                Err(error) => outcome.refuse(reason(error), asked.len()),
            }
        }
        left = again;
    }
    Ok(outcome)
}

/// Returns why an order was refused, in few words.
fn reason(error: OrderError) -> String {
    match error {
        OrderError::NotFound => "not found".to_owned(),
        OrderError::ChangePending { .. } => "with a pending change".to_owned(),
        error => RequestError::from(error).message.into_owned(),
    }
}

fn draft(visit: &Visit, command: &BulkCommand, chosen: &Chosen) -> MoveDraft {
    let orders = chosen.iter().map(|(number, items)| {
        let items = items.iter().map(|id| {
            Field::Value(ItemNameDraft {
                app_item_id: id.as_str().into(),
            })
        });
        Field::Value(OrderToMoveDraft {
            order_id: number.as_str().into(),
            version: Field::Absent,
            line_items: Field::Value(items.collect()),
        })
    });
    let draft = MoveDraft {
        command: command.action.as_str().into(),
        orders: Field::Value(orders.collect()),
        ..MoveDraft::default()
    };
    moves::values(visit.form(), visit, draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_counts_what_moved_and_what_was_refused_by_reason() {
        let mut outcome = Outcome {
            moved: 12,
            ..Outcome::default()
        };
        let start = &COMMANDS[0];
        assert_eq!(outcome.message(start), Message::status("12 items started."));
        outcome.refuse("on-hold", 1);
        outcome.refuse("cancelled", 1);
        let text = "12 items started. 2 refused: 1 cancelled, 1 on-hold.";
        assert_eq!(outcome.message(start), Message::alert(text));
    }

    #[test]
    fn chosen_items_are_grouped_by_their_orders() {
        let form = Fields::parse("item=SUN-1/a&item=SUN-2/c&item=SUN-1/b");
        let chosen = chosen(&form);
        assert_eq!(chosen.len(), 2);
        assert_eq!(chosen["SUN-1"], ["a", "b"]);
    }
}
