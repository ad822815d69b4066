//! Lines of an order's bill, with the codes of their items.

use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::pricing::fees::FeeType;

use crate::shell::Result;
use crate::shell::view::bill;

pub(super) struct BillLine {
    pub(super) fee: FeeType,
    /// Code of the item that the line charges; empty if the line charges the whole order.
    pub(super) item: String,
    pub(super) rule: String,
    /// Amount in minor units of the order's currency.
    pub(super) amount: i64,
    /// True if an operator added the line.
    pub(super) is_operators: bool,
}

pub(super) fn lines(order: &SnapshotParts) -> Result<Vec<BillLine>> {
    let bill = bill(order)?;
    let lines = bill.lines().iter().map(|line| {
        let item = line.item.and_then(|id| order.state.item(id));
        let code = item.map(|item| item.code(&order.service_order_id));
        BillLine {
            fee: line.fee,
            item: code.unwrap_or_default(),
            rule: line.rule.to_owned(),
            amount: line.amount,
            is_operators: line.origin.as_str() == "operator",
        }
    });
    Ok(lines.collect())
}
