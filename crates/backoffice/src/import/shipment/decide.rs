//! Decides about a parcel of the file: the command that records it, and the problems of its rows.

use super::problems::RowProblem;
use super::rows::{ItemRow, Parcel};
use pressline_domain::check::{IssueCode, Violation};
use pressline_domain::fulfilment::{
    Context, Decision, ItemState, ItemStatus, Refusal, ShipCommand, Shipment, ShippedUnits, ship,
};
use pressline_domain::order::Order;
use pressline_domain::value::{ItemId, ShipmentId};

/// Code of a parcel that is already recorded with other content, as in `shipments/create`.
const DUPLICATE: &str = "duplicate_shipment";
const ILLEGAL: &str = "illegal_transition";

impl Parcel {
    pub(super) fn decide(
        &self,
        order: &Order,
        id: ShipmentId,
        context: &Context,
    ) -> Result<Decision, Vec<RowProblem>> {
        let mut command = ShipCommand {
            id,
            items: None,
            values: self.values.clone(),
        };
        if !self.items.is_empty() {
            let units = self.units(order, command.repeated(order))?;
            command.items = Some(units);
        }
        let decision = ship(order, &command, context);
        decision.map_err(|refusal| self.problems(order, &command, refusal))
    }

    /// A row without a quantity ships all unshipped units of its item. If the parcel is already
    /// recorded as `stored`, the row ships the item's units in `stored` instead.
    fn units(
        &self,
        order: &Order,
        stored: Option<&Shipment>,
    ) -> Result<Vec<ShippedUnits>, Vec<RowProblem>> {
        let (mut units, mut problems) = (Vec::with_capacity(self.items.len()), Vec::new());
        for row in &self.items {
            let id = match row.item(order) {
                Ok(id) => id,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            // A repeated import must name the units of the stored shipment, else it would conflict
            // with it.
            let usual = || stored.map_or(order.unshipped(id), |stored| stored.units_of(id));
            let quantity = row.quantity.unwrap_or_else(usual);
            units.push(ShippedUnits { id, quantity });
        }
        if problems.is_empty() {
            Ok(units)
        } else {
            Err(problems)
        }
    }

    fn problems(&self, order: &Order, command: &ShipCommand, refusal: Refusal) -> Vec<RowProblem> {
        match refusal {
            Refusal::Invalid(violations) => {
                let problems = violations
                    .into_iter()
                    .map(|violation| self.invalid(violation));
                problems.collect()
            }
            Refusal::IllegalTransition { items, .. } => self.illegal(order, command, &items),
            Refusal::DuplicateShipment(stored) => {
                // The reference identifies a parcel; without it, the tracking number does.
                let column = match command.values.reference {
                    Some(_) => "ref",
                    None => "tracking_number",
                };
                let message = format!("shipment {stored} of this parcel has other content");
                vec![RowProblem::new(self.line, column, DUPLICATE, message)]
            }
            // Without an expected version there are no other refusals. An unexpected refusal is
            // reported unchanged.
            other => vec![RowProblem::new(self.line, "", ILLEGAL, other.to_string())],
        }
    }

    fn invalid(&self, violation: Violation) -> RowProblem {
        let rest = violation.field.strip_prefix("line_items[");
        let place = rest.and_then(|rest| rest.split_once(']'));
        let row = place.and_then(|(place, field)| {
            let row = self.items.get(place.parse::<usize>().ok()?)?;
            Some((row, field))
        });
        match row {
            Some((row, ".quantity")) => RowProblem::in_row(row.line, "quantity", violation),
            Some((row, _)) => RowProblem::in_row(row.line, row.column(), violation),
            None => RowProblem::in_row(self.line, "order_id", violation),
        }
    }

    /// Returns a problem for each row that names one of `items`, else for the parcel's first row.
    fn illegal(&self, order: &Order, command: &ShipCommand, items: &[ItemId]) -> Vec<RowProblem> {
        let problem = |line, column, status: ItemStatus| {
            let message = format!(
                "the item is {status}; units of items that are ready or in-production can be shipped"
            );
            RowProblem::new(line, column, ILLEGAL, message)
        };
        let units = command.items.iter().flatten();
        let rows = self.items.iter().zip(units);
        let problems: Vec<RowProblem> = rows
            .filter(|(_, units)| items.contains(&units.id))
            .filter_map(|(row, units)| {
                let status = order.state.item(units.id)?.status;
                Some(problem(row.line, row.column(), status))
            })
            .collect();
        if !problems.is_empty() {
            return problems;
        }
        let message = "no unit of the order can be shipped: none is left of items that are ready or in-production";
        vec![RowProblem::new(self.line, "order_id", ILLEGAL, message)]
    }
}

impl ItemRow {
    fn item(&self, order: &Order) -> Result<ItemId, RowProblem> {
        let Some(name) = &self.id else {
            return self.item_of_sku(order);
        };
        let mut items = order.state.items.iter();
        let code_of = |item: &ItemState| item.code(&order.service_order_id);
        let item = items.find(|item| name.parse() == Ok(item.id) || *name == code_of(item));
        let line = item.and_then(|item| order.line(item.id));
        let Some(line) = line else {
            let message = format!("the order has no item `{name}`; write its id or its code");
            return self.problem("item_id", IssueCode::UnknownItem, message);
        };
        if self.sku.as_ref().is_some_and(|sku| *sku != line.sku) {
            let message = format!("the item has the SKU `{}`", line.sku);
            return self.problem("sku", IssueCode::Conflict, message);
        }
        Ok(line.id)
    }

    fn problem<T>(&self, column: &str, code: IssueCode, message: String) -> Result<T, RowProblem> {
        Err(RowProblem::issue(self.line, column, code, message))
    }

    fn item_of_sku(&self, order: &Order) -> Result<ItemId, RowProblem> {
        let sku = self.sku.as_deref().unwrap_or_default();
        let lines = order.content.items.iter();
        let mut with_sku: Vec<ItemId> = lines
            .filter(|line| line.sku == sku)
            .map(|line| line.id)
            .collect();
        // Two items may have the same SKU: cancelled items are left out before the row counts as
        // ambiguous.
        if with_sku.len() > 1 {
            let is_cancelled = |id: ItemId| {
                let item = order.state.item(id);
                item.is_some_and(|item| item.status == ItemStatus::Cancelled)
            };
            with_sku.retain(|id| !is_cancelled(*id));
        }
        match with_sku.as_slice() {
            [id] => Ok(*id),
            [] => {
                let message = format!("the order has no item with the SKU `{sku}`");
                self.problem("sku", IssueCode::UnknownItem, message)
            }
            several => {
                let count = several.len();
                let message =
                    format!("{count} items of the order have this SKU; name one by `item_id`");
                self.problem("sku", IssueCode::Ambiguous, message)
            }
        }
    }
}
