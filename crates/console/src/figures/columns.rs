//! The columns of reports.

use pressline_domain::figures::{Figures, Sum};
use pressline_domain::money::Currency;
use pressline_domain::pricing::fees::FeeType;

/// Numbers of a row that are not amounts.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub(super) label: &'static str,
    /// As in the operator API.
    pub(super) field: &'static str,
    pub(super) of: fn(&Figures) -> u64,
}

const fn count(label: &'static str, field: &'static str, of: fn(&Figures) -> u64) -> Count {
    Count { label, field, of }
}

/// Before the amounts.
pub(super) const ORDERED: [Count; 2] = [
    count("Orders", "orders", |figures| figures.orders),
    count("Units", "units", |figures| figures.units),
];

/// Behind the amounts.
pub(super) const APART: [Count; 5] = [
    count("Cancelled orders", "cancelledOrders", |figures| {
        figures.cancelled_orders
    }),
    count("Cancelled units", "cancelledUnits", |figures| {
        figures.cancelled_units
    }),
    count("Unpriced orders", "unpricedOrders", |figures| {
        figures.unpriced_orders
    }),
    count("Late units", "lateUnits", |figures| figures.late_units),
    count("Misprinted units", "misprintedUnits", |figures| {
        figures.misprinted_units
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
        _ => fee.field(),
    }
}

pub(super) fn occurring(totals: &[(Currency, Figures)]) -> Vec<FeeType> {
    let occurs = |fee: &FeeType| totals.iter().any(|(_, sums)| sums.fee(*fee).is_some());
    FeeType::ALL.into_iter().filter(occurs).collect()
}

/// With a point and all decimals; empty if there is none.
pub(super) fn plain(sum: Option<Sum>, currency: Currency) -> String {
    sum.map(|sum| sum.to_fixed(currency)).unwrap_or_default()
}
