//! Listing the orders of a command, so that later arrivals are left out.

use std::collections::BTreeMap;

use pressline_domain::order::queue::QueueItem;
use pressline_domain::task::{TaskItem, TaskOrder};

use super::{path, refused};
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

/// Redirects to the task's page, which asks for the command's values.
pub(crate) async fn prepare(visit: &Visit, command: &str, items: &[QueueItem]) -> Answer {
    let mut orders: BTreeMap<String, Vec<TaskItem>> = BTreeMap::new();
    for item in items {
        if let Some((line, state)) = item.item() {
            let number = &item.order.service_order_id;
            let listed = orders.entry(number.to_string()).or_default();
            listed.push(TaskItem {
                id: line.id,
                code: state.code(number),
            });
        }
    }
    let orders = orders
        .into_iter()
        .map(|(number, items)| TaskOrder { number, items });
    let tasks = &visit.services().tasks;
    let prepared = tasks.prepare(visit.operator(), command, orders.collect());
    let id = prepared.await.map_err(refused)?;
    Ok(Reply::redirect(path(id)))
}
