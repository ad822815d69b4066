//! Commands on many items: finds the items, and reports the result.

use std::collections::{BTreeMap, HashSet};

use askama::Template;
use pressline_backoffice::queue::QueueItem;
use pressline_domain::check::limits;
use pressline_domain::fulfilment::Command;
use pressline_domain::order::{MovedItems, OrderError};
use pressline_domain::value::{ItemId, ServiceOrderId};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::list::shown;
use crate::pages::order::moves;
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
const MAX_ITEMS: usize = 2000;

/// Items with the numbers of their orders.
type ChosenItems = Vec<(ServiceOrderId, ItemId)>;

#[derive(Clone, Copy)]
struct BulkCommand {
    command: Command,
    /// Participle for a message after a number of items, such as `put on hold`.
    done: &'static str,
}

fn commands() -> impl Iterator<Item = BulkCommand> {
    Command::moving().filter_map(|(command, rule)| {
        Some(BulkCommand {
            command,
            done: rule.bulk?,
        })
    })
}

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let form = visit.form();
    let bulk_command = commands().find(|bulk| bulk.command.as_str() == form.get(COMMAND));
    let bulk = bulk_command
        .ok_or_else(|| RequestError::new(Code::NotFound, "the queue has no such command"))?;
    let is_all = form.get(SCOPE) == "all";
    let meant = match is_all {
        true => all(&visit).await,
        false => chosen(form).map(Selection::Few),
    };
    let chosen = match meant {
        Ok(Selection::Many(items)) => {
            return task::prepare(&visit, bulk.command, &items).await;
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
    if !is_confirmed && (is_all || bulk.command.asks_for_values()) {
        return confirm(&visit, bulk, &chosen, None);
    }
    match give(&visit, bulk.command, &chosen).await {
        Ok(moved) => {
            let back = visit.return_to(QUEUE);
            Ok(Reply::redirect(back).with_message(message(&moved, bulk.done)))
        }
        Err(error) => {
            let errors = FormErrors::from_error(error)?;
            confirm(&visit, bulk, &chosen, Some(errors))
        }
    }
}

fn chosen(form: &Fields) -> Result<ChosenItems> {
    let items = form.all(ITEM).map(|value| {
        let mut parts = value.split('/');
        let order = parts.next().and_then(|order| order.parse().ok());
        order.zip(parts.next().and_then(|item| item.parse().ok()))
    });
    let chosen: Option<ChosenItems> = items.collect();
    let message = "the queue has no such item; reload the page and select again";
    chosen.ok_or_else(|| RequestError::new(Code::ValidationFailed, message))
}

fn count_orders(chosen: &ChosenItems) -> usize {
    let orders: HashSet<&ServiceOrderId> = chosen.iter().map(|(order, _)| order).collect();
    orders.len()
}

enum Selection {
    /// Items to move in a single call.
    Few(ChosenItems),
    /// Items that need several calls, and become a task.
    Many(Vec<QueueItem>),
}

async fn all(visit: &SignedInRequest) -> Result<Selection> {
    let (queue_items, has_more) =
        first_items(visit, pressline_backoffice::limits::TASK_ITEMS).await?;
    // Too many matches are refused instead of cut, because the operator has asked for all matches.
    let mut chosen = ChosenItems::new();
    for item in &queue_items {
        if let Some((line, _)) = item.item() {
            chosen.push((item.order.service_order_id.clone(), line.id));
        }
    }
    let orders = count_orders(&chosen);
    if has_more || orders > pressline_backoffice::limits::TASK_ORDERS {
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
    let is_few = orders <= limits::MOVED_ORDERS && queue_items.len() <= MAX_ITEMS;
    Ok(match is_few {
        true => Selection::Few(chosen),
        false => Selection::Many(queue_items),
    })
}

async fn give(
    visit: &SignedInRequest,
    command: Command,
    chosen: &[(ServiceOrderId, ItemId)],
) -> Result<MovedItems, OrderError> {
    let given = moves::values(visit.form(), visit).check(command)?;
    let (orders, by) = (&visit.services().orders, visit.by());
    let moved = orders.moves.move_items(visit.scope(), chosen, &given, &by);
    moved.await
}

fn message(moved: &MovedItems, done: &str) -> Message {
    let mut text = format!("{} {}.", counted(moved.moved, "item"), done);
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
    bulk: BulkCommand,
    chosen: &ChosenItems,
    errors: Option<FormErrors>,
) -> Answer {
    let back = visit.return_to(QUEUE);
    let mut hidden = vec![
        (COMMAND, bulk.command.as_str().to_owned()),
        (CONFIRMED, "1".to_owned()),
        (RETURN, back.clone()),
    ];
    let items = chosen.iter();
    hidden.extend(items.map(|(order, id)| (ITEM, format!("{order}/{id}"))));
    let questions = moves::questions(bulk.command, visit.form());
    let name = bulk.command.label();
    let page = ConfirmPage {
        frame: visit.frame(&[name, "Queue"])?,
        name,
        items: chosen.len(),
        orders: count_orders(chosen),
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
        assert_eq!(
            message(&moved, "started"),
            Message::status("12 items started.")
        );
        for reason in ["on-hold", "cancelled"] {
            moved.refused.push(RefusedItem {
                order: "SUN-1".parse().unwrap(),
                item: ItemId::new(uuid::Uuid::nil()),
                reason: reason.to_owned(),
            });
        }
        let text = "12 items started. 2 refused: 1 cancelled, 1 on-hold.";
        assert_eq!(message(&moved, "started"), Message::alert(text));
    }

    #[test]
    fn chosen_items_have_an_order_and_an_id() {
        let id = "018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e";
        let parse = |text: &str| chosen(&Fields::parse(text));
        let items = parse(&format!(
            "item=SUN-1/{id}/1&item=SUN-2/{id}&item=SUN-1/{id}"
        ))
        .unwrap();
        assert_eq!((items.len(), count_orders(&items)), (3, 2));
        assert_eq!(items[0], ("SUN-1".parse().unwrap(), id.parse().unwrap()));
        for wrong in ["item=SUN-1", "item=SUN-1/a/1", "item=SUN/x", "item="] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
