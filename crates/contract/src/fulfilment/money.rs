//! Checks that the fees of an order add up.

use std::collections::BTreeMap;

use pressline_domain::fulfilment::{ItemStatus, SnapshotParts};
use pressline_domain::pricing::corrections::LineOrigin;
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::value::ItemId;

use super::goods;
use crate::CaseResult;
use crate::check::{holds, same};

/// Sum of each known fee, in minor units.
type Sums = BTreeMap<FeeType, i64>;

fn sums(bill: &Bill) -> Sums {
    let known = FeeType::ALL.into_iter().filter_map(|fee| {
        let sum = bill.fee(fee)?;
        Some((fee, sum.minor_units()))
    });
    known.collect()
}

pub(super) fn check_fees(order: &SnapshotParts) -> CaseResult {
    check_lines(order)?;
    let is_cancelled = |id: ItemId| {
        let mut items = order.state.items.iter();
        items.any(|item| item.id == id && item.status == ItemStatus::Cancelled)
    };
    if order.state.items.iter().all(|item| is_cancelled(item.id)) {
        same(
            "fees of a cancelled order",
            &order.content.bill,
            &Bill::default(),
        )?;
        return holds("a cancelled order counts as priced", order.is_priced());
    }
    let own = order
        .content
        .bill
        .lines()
        .iter()
        .filter_map(|line| line.item);
    let charged: Vec<ItemId> = own.filter(|id| is_cancelled(*id)).collect();
    same("cancelled items that are charged", &charged, &Vec::new())?;
    let is_early = order.state.items.iter().all(|item| {
        use ItemStatus::{Cancelled, CoolingOff, PendingDesign};
        matches!(
            item.returns_to.unwrap_or(item.status),
            PendingDesign | CoolingOff | Cancelled
        )
    });
    if is_early {
        let counted = order
            .content
            .items
            .iter()
            .filter(|item| !is_cancelled(item.id));
        let now = goods::bill(order.content.kind(), counted)?;
        same(
            "fees of an early order",
            &sums(&order.content.bill),
            &sums(&now),
        )?;
    }
    Ok(())
}

/// Checks that lines add up to fees and fees to the total, with the fee lines that operators added.
fn check_lines(order: &SnapshotParts) -> CaseResult {
    let bill = order.bill()?;
    let mut total = 0;
    for fee in FeeType::ALL {
        let lines = bill.lines().iter().filter(|line| line.fee == fee);
        let sum: i64 = lines.clone().map(|line| line.amount).sum();
        let shown = bill.fee(fee).map_or(0, |fee| fee.minor_units());
        same(&format!("the sum of {fee:?}"), &shown, &sum)?;
        holds(&format!("{fee:?} is {sum}"), sum >= 0)?;
        total += sum;
        let of_rules: i64 = order
            .content
            .bill
            .lines()
            .iter()
            .filter(|line| line.fee == fee)
            .map(|line| line.amount.minor_units())
            .sum();
        let given = order.corrections.iter().filter(|line| line.fee == fee);
        let added: i64 = given.clone().map(|line| line.amount.max(0)).sum();
        let lowered: i64 = given.clone().map(|line| line.amount.min(0)).sum();
        // Reductions cannot make a fee negative.
        let wanted = (of_rules + added + lowered).max(0);
        same(
            &format!("{fee:?} with the lines of operators"),
            &sum,
            &wanted,
        )?;
        let shown = lines.filter(|line| line.origin == LineOrigin::Operator);
        // A fee of unknown amount shows no lines.
        let given = given.filter(|_| bill.fee(fee).is_some());
        same("lines of operators", &shown.count(), &given.count())?;
    }
    same("the total", &bill.total().minor_units(), &total)
}

/// Checks that a change without new prices keeps the fee lines of items that `after` has not
/// cancelled.
pub(super) fn check_kept_lines(before: &SnapshotParts, after: &SnapshotParts) -> CaseResult {
    let is_cancelled = |line: &&FeeLine| {
        let mut items = after.state.items.iter();
        let of_item = items.find(|item| Some(item.id) == line.item);
        of_item.is_some_and(|item| item.status == ItemStatus::Cancelled)
    };
    let lines = before.content.bill.lines().iter();
    let kept: Vec<&FeeLine> = lines.filter(|line| !is_cancelled(line)).collect();
    let all: Vec<&FeeLine> = after.content.bill.lines().iter().collect();
    // A cancelled order has no fee lines at all.
    let is_cancelled = after.state.is_cancelled();
    if is_cancelled || kept == all {
        return Ok(());
    }
    same("fee lines that are not of cancelled items", &all, &kept)
}
