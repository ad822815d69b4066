//! Columns of reports.

use pressline_backoffice::statistics::{Statistics, Sum};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Currency;

/// Column with a count: its label on the page, its name in the operator API, and the function that
/// returns the count.
type Count = (&'static str, &'static str, fn(&Statistics) -> u64);

/// Columns with the numbers of orders and units, shown to the left of the amounts.
pub(super) const ORDERED: [Count; 2] = [
    ("Orders", "orders", |sums| sums.orders),
    ("Units", "units", |sums| sums.units),
];

/// Columns with counts of exceptions, such as cancelled orders, shown to the right of the amounts.
pub(super) const APART: [Count; 5] = [
    ("Cancelled orders", "cancelledOrders", |sums| {
        sums.cancelled_orders
    }),
    ("Cancelled units", "cancelledUnits", |sums| {
        sums.cancelled_units
    }),
    ("Unpriced orders", "unpricedOrders", |sums| {
        sums.unpriced_orders
    }),
    ("Late units", "lateUnits", |sums| sums.late_units),
    ("Misprinted units", "misprintedUnits", |sums| {
        sums.misprinted_units
    }),
];

pub(super) fn fee_label(fee: FeeType) -> &'static str {
    match fee {
        FeeType::Product => "Products",
        FeeType::Shipping => "Shipping",
        FeeType::Surcharge => "Surcharges",
        FeeType::Handling => "Handling",
        FeeType::Other => "Other",
        FeeType::OtherShipping => "Other shipping",
    }
}

pub(super) fn occurring(totals: &[(Currency, Statistics)]) -> Vec<FeeType> {
    let occurs = |fee: &FeeType| totals.iter().any(|(_, sums)| sums.fee(*fee).is_some());
    FeeType::ALL.into_iter().filter(occurs).collect()
}

pub(super) fn plain(sum: Option<Sum>, currency: Currency) -> String {
    sum.map(|sum| sum.to_fixed(currency)).unwrap_or_default()
}
