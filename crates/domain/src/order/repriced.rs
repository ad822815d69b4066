//! The warning that an order has other costs because prices have changed, not because of its
//! update.

use crate::check::{IssueCode, Warning};
use crate::order::{Address, LineItem, OrderKind, OrderParts};
use crate::pricing::fees::FeeType;

/// Returns a warning if prices have changed between `before` and `after`:
///
/// - an item with the same SKU has another unit cost,
/// - the destination is the same, but fee lines of an unchanged item differ, or
/// - all items and the destination are the same, but the fees of the order differ.
pub(super) fn repriced(before: &OrderParts, after: &OrderParts) -> Option<Warning> {
    let of_before = |item: &LineItem| {
        let mut items = before.items.iter();
        items.find(|old| old.id == item.id && old.sku == item.sku)
    };
    let item_pairs = || {
        let items = after.items.iter();
        items.filter_map(|item| Some((of_before(item)?, item)))
    };
    // Closures, so that a comparison runs only if the earlier comparisons find nothing.
    let unit_costs = || item_pairs().any(|(old, new)| old.unit_cost != new.unit_cost);
    let own_fees = || {
        // Fees can depend on the destination, so a new destination explains a difference.
        same_destination(before, after)
            && item_pairs().any(|(old, new)| {
                let mut fees = FeeType::BY_RULE
                    .into_iter()
                    .filter(|fee| comparable(before, after, *fee));
                let differs = |fee| own_fee(before, old, fee) != own_fee(after, new, fee);
                same_item(old, new) && fees.any(differs)
            })
    };
    let order = || before.bill.fees() != after.bill.fees() && same_order(before, after);
    (unit_costs() || own_fees() || order()).then(|| Warning {
        field: "totalCost".to_owned(),
        code: IssueCode::Repriced,
        message: format!(
            "prices have changed since {}; the order is now priced as of {}",
            before.priced_at, after.priced_at
        ),
    })
}

/// Compares only the fields that affect the price of an item.
fn same_item(one: &LineItem, other: &LineItem) -> bool {
    one.sku == other.sku
        && one.quantity == other.quantity
        && one.ship_class == other.ship_class
        && one.file_urls == other.file_urls
}

/// Compares only items and destination, which decide the costs at unchanged prices.
fn same_order(one: &OrderParts, other: &OrderParts) -> bool {
    let mut pairs = one.items.iter().zip(&other.items);
    one.items.len() == other.items.len()
        && pairs.all(|(one, other)| same_item(one, other))
        && same_destination(one, other)
}

fn same_destination(one: &OrderParts, other: &OrderParts) -> bool {
    let destination = |parts: &OrderParts| {
        parts
            .shipping_address
            .as_ref()
            .and_then(Address::destination)
    };
    destination(one) == destination(other)
}

/// Unknown surcharges have no lines, so they cannot be compared.
fn comparable(before: &OrderParts, after: &OrderParts, fee: FeeType) -> bool {
    let unknown = |parts: &OrderParts| {
        parts.kind() == OrderKind::Manual && parts.bill.fee(FeeType::Surcharge).is_none()
    };
    fee != FeeType::Surcharge || !(unknown(before) || unknown(after))
}

/// In minor units. Excludes lines for the whole order.
fn own_fee(parts: &OrderParts, item: &LineItem, fee: FeeType) -> i64 {
    let lines = parts.bill.lines().iter();
    let own = lines.filter(|line| line.fee == fee && line.item == Some(item.id));
    own.map(|line| line.amount.minor_units()).sum()
}
