//! Commands on many items: finds the items, and reports the result.

use std::collections::BTreeMap;

use askama::Template;
use pressline_backoffice::queue::QueueItem;
use pressline_domain::check::limits;
use pressline_domain::fulfilment::Action;
use pressline_domain::order::request::MoveDraft;
use pressline_domain::order::{ChosenItems, MovedItems, OrderError};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::list::shown;
use crate::pages::order::{action_name, moves};
use crate::pages::task;
use crate::shell::filter::queue::first_items;
use crate::shell::form::{RETURN, with_errors};
use crate::shell::paths::QUEUE;
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Message, Reply, Result,
    SignedInRequest, counted,
};

/// Name of the checkboxes of items, with values such as `order/item id/item number`. Commands
/// ignore the item number.
const ITEM: &str = "item";
/// Name of the field that is `all` for all matching items. Any other value selects single items.
const SCOPE: &str = "scope";
const CONFIRMED: &str = "confirmed";
const COMMAND: &str = "command";
/// Maximum number of items that a command processes immediately: the page that asks for
/// confirmation contains each item. A command about more items becomes a task.
const MOST: usize = 2000;

struct BulkCommand {
    action: Action,
    done: &'static str,
    /// True if the command needs values, such as a reason.
    asks: bool,
}

const COMMANDS: [BulkCommand; 4] = [
    command(Action::Start, "started", false),
    command(Action::PutBack, "put back", true),
    command(Action::Hold, "put on hold", true),
    command(Action::Need, "waiting for the store", true),
];

const fn command(action: Action, done: &'static str, asks: bool) -> BulkCommand {
    BulkCommand { action, done, asks }
}

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let form = visit.form();
    let mut commands = COMMANDS.iter();
    let command = commands.find(|command| command.action.as_str() == form.get(COMMAND));
    let command = command
        .ok_or_else(|| RequestError::new(Code::NotFound, "the queue has no such command"))?;
    let is_all = form.get(SCOPE) == "all";
    let meant = match is_all {
        true => all(&visit).await,
        false => Ok(Selection::Few(chosen(form))),
    };
    let chosen = match meant {
        Ok(Selection::Many(items)) => {
            return task::prepare(&visit, command.action.as_str(), &items).await;
        }
        Ok(Selection::Few(chosen)) if !chosen.is_empty() => chosen,
        Ok(Selection::Few(_)) => {
            let errors = FormErrors::of_form("select at least one item");
            return shown(&visit, Some(errors)).await;
        }
        Err(error) => return shown(&visit, Some(FormErrors::from_error(error)?)).await,
    };
    let is_confirmed = form.has(CONFIRMED);
    // Only commands without questions on selected items need no confirmation.
    if !is_confirmed && (is_all || command.asks) {
        return confirm(&visit, command, &chosen, None);
    }
    match give(&visit, command, &chosen).await {
        Ok(moved) => {
            let back = visit.return_to(QUEUE);
            Ok(Reply::redirect(back).with_message(message(&moved, command)))
        }
        Err(error) => confirm(
            &visit,
            command,
            &chosen,
            Some(FormErrors::from_error(error)?),
        ),
    }
}

fn chosen(form: &Fields) -> ChosenItems {
    let mut chosen = ChosenItems::new();
    for value in form.all(ITEM) {
        let mut parts = value.split('/');
        let (order, item) = (parts.next().unwrap_or_default(), parts.next());
        let items = chosen.entry(order.to_owned()).or_default();
        items.push(item.unwrap_or_default().to_owned());
    }
    chosen
}

enum Selection {
    /// Items to move in a single call.
    Few(ChosenItems),
    /// Items that need several calls, and become a task.
    Many(Vec<QueueItem>),
}

async fn all(visit: &SignedInRequest) -> Result<Selection> {
    let (found, has_more) = first_items(visit, pressline_backoffice::limits::TASK_ITEMS).await?;
    // Too many matches are refused instead of cut, because the operator has asked for all matches.
    let mut chosen = ChosenItems::new();
    for item in &found {
        if let Some((line, _)) = item.item() {
            let number = item.order.service_order_id.to_string();
            chosen.entry(number).or_default().push(line.id.to_string());
        }
    }
    if has_more || chosen.len() > pressline_backoffice::limits::TASK_ORDERS {
        let (items, orders) = (
            pressline_backoffice::limits::TASK_ITEMS,
            pressline_backoffice::limits::TASK_ORDERS,
        );
        let message = format!(
            "more than {items} items or {orders} orders match; narrow the filters, or select items"
        );
        return Err(RequestError::new(Code::ValidationFailed, message));
    }
    // Larger commands take longer than a request should, and become tasks (ADR 30).
    let is_few = chosen.len() <= limits::MOVED_ORDERS && found.len() <= MOST;
    Ok(match is_few {
        true => Selection::Few(chosen),
        false => Selection::Many(found),
    })
}

async fn give(
    visit: &SignedInRequest,
    command: &BulkCommand,
    chosen: &ChosenItems,
) -> Result<MovedItems, OrderError> {
    let draft = MoveDraft {
        command: command.action.as_str().into(),
        ..MoveDraft::default()
    };
    let draft = moves::values(visit.form(), visit, draft);
    let (orders, by) = (&visit.services().orders, visit.by());
    let moved = orders.move_items(visit.scope(), &draft, chosen.clone(), &by);
    moved.await
}

fn message(moved: &MovedItems, command: &BulkCommand) -> Message {
    let mut text = format!("{} {}.", counted(moved.moved, "item"), command.done);
    if moved.unchanged > 0 {
        text.push_str(&format!(" No change: {}.", moved.unchanged));
    }
    let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
    for refused in &moved.refused {
        *by_reason.entry(refused.reason.clone()).or_default() += 1;
    }
    Message::with_refusals(&text, &by_reason)
}

#[derive(Template)]
#[template(path = "queue/confirm.html")]
struct ConfirmPage {
    frame: Frame,
    name: &'static str,
    items: usize,
    orders: usize,
    back: String,
    action: &'static str,
    hidden: Vec<(&'static str, String)>,
    questions: Vec<FormField>,
    errors: Option<FormErrors>,
}

/// Puts the items into the page, so that items that match later are not included.
fn confirm(
    visit: &SignedInRequest,
    command: &BulkCommand,
    chosen: &ChosenItems,
    errors: Option<FormErrors>,
) -> Answer {
    let back = visit.return_to(QUEUE);
    let mut hidden = vec![
        (COMMAND, command.action.as_str().to_owned()),
        (CONFIRMED, "1".to_owned()),
        (RETURN, back.clone()),
    ];
    let mut items = 0;
    for (order, ids) in chosen {
        items += ids.len();
        hidden.extend(ids.iter().map(|id| (ITEM, format!("{order}/{id}"))));
    }
    let questions = moves::questions(command.action, visit.form());
    let name = action_name(command.action);
    let page = ConfirmPage {
        frame: visit.frame(&[name, "Queue"])?,
        name,
        items,
        orders: chosen.len(),
        back,
        action: QUEUE,
        hidden,
        questions: with_errors(questions, errors.as_ref()),
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

#[cfg(test)]
mod tests {
    use pressline_domain::order::RefusedItem;

    use super::*;

    #[test]
    fn the_message_counts_what_moved_and_what_was_refused_by_reason() {
        let mut moved = MovedItems {
            moved: 12,
            ..MovedItems::default()
        };
        let start = &COMMANDS[0];
        assert_eq!(message(&moved, start), Message::status("12 items started."));
        for reason in ["on-hold", "cancelled"] {
            moved.refused.push(RefusedItem {
                order: "SUN-1".to_owned(),
                item: "a".to_owned(),
                reason: reason.to_owned(),
            });
        }
        let text = "12 items started. 2 refused: 1 cancelled, 1 on-hold.";
        assert_eq!(message(&moved, start), Message::alert(text));
    }

    #[test]
    fn chosen_items_are_grouped_by_their_orders() {
        let form = Fields::parse("item=SUN-1/a/1&item=SUN-2/c&item=SUN-1/b/2");
        let chosen = chosen(&form);
        assert_eq!(chosen.len(), 2);
        assert_eq!(chosen["SUN-1"], ["a", "b"]);
    }
}
