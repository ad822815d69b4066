//! The names of orders in shipment files.

use std::collections::HashMap;

use super::problems::RowProblem;
use crate::rows::Row;
use pressline_domain::check::IssueCode;
use pressline_domain::order::OwnOrderIds;
use pressline_domain::value::{OrderId, ServiceOrderId};

/// Returns the number of the order that `row` names, and what the same order id of a store means.
/// `numbers` are the orders that rows name by their ids.
pub(super) fn order_of(
    row: &Row,
    numbers: &HashMap<OrderId, ServiceOrderId>,
) -> Result<(ServiceOrderId, OwnOrderIds), RowProblem> {
    let (column, name) = order_name(row);
    let issue = |code, message| RowProblem::issue(row.line, column, code, message);
    let Some(name) = name else {
        let message = "required: the service's order number, such as DEMO-17";
        return Err(issue(IssueCode::Required, message));
    };
    if let Ok(id) = name.parse::<OrderId>() {
        let number = numbers.get(&id).cloned().ok_or_else(|| {
            let message = format!("there is no order {id}");
            RowProblem::new(row.line, column, "order_not_found", message)
        });
        return Ok((number?, OwnOrderIds::Ignored));
    }
    let number = name.parse().map_err(|_| {
        let message = "neither a service's order number such as DEMO-17 nor the id of an order";
        issue(IssueCode::InvalidFormat, message)
    })?;
    // Exports fill the column `number`, always with numbers; the other column is filled by people.
    let own_ids = match column {
        "number" => OwnOrderIds::Ignored,
        _ => OwnOrderIds::Ambiguous,
    };
    Ok((number, own_ids))
}

/// Returns the id of the order that `row` names by its id.
pub(super) fn named_by_id(row: &Row) -> Option<OrderId> {
    order_name(row).1?.parse().ok()
}

fn order_name(row: &Row) -> (&'static str, Option<String>) {
    let text = |column| row.given(column).text().map(str::to_owned);
    match text("number") {
        Some(number) => ("number", Some(number)),
        None => ("order_id", text("order_id")),
    }
}
