//! Counting placed orders, and sums of their amounts: pure functions.

use std::collections::BTreeMap;

use super::port::{PlacedItem, PlacedOrder};
use crate::production::missed_ship_by_time;
use pressline_domain::pricing::corrections::CorrectedBill;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::store::StoreSettings;
use pressline_domain::value::{Currency, Timestamp};

/// Statistics of a group of orders. All amounts are in one currency, which is stored elsewhere,
/// such as in a [`StatisticsRow`](super::StatisticsRow).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of orders with an item that is not `cancelled`.
    pub orders: u64,
    /// Number of units of items that are not `cancelled`.
    pub units: u64,
    /// Sum for each type of fee, in the order of [`FeeType::ALL`]; `None` if no order has the fee.
    fees: [Option<Sum>; FeeType::ALL.len()],
    /// Sum of all fees, in minor units.
    pub total: Sum,
    /// Number of orders with all items `cancelled`.
    pub cancelled_orders: u64,
    /// Number of units of `cancelled` items.
    pub cancelled_units: u64,
    /// Number of orders with an unknown cost. Their known fees are part of `total`.
    pub unpriced_orders: u64,
    /// Number of units of items that are overdue, or were sent after their ship-by time.
    pub late_units: u64,
    /// Number of units that were recorded as misprinted.
    pub misprinted_units: u64,
}

#[derive(Clone, Copy)]
pub(super) struct ShipByTime<'a> {
    pub(super) settings: &'a StoreSettings,
    pub(super) now: Timestamp,
}

impl Statistics {
    /// Returns the sum of `fee`; `None` if no order has this fee.
    pub fn fee(&self, fee: FeeType) -> Option<Sum> {
        self.fees.get(fee as usize).copied().flatten()
    }

    pub(super) fn of_order(
        order: &PlacedOrder,
        bill: &CorrectedBill<'_>,
        promise: ShipByTime<'_>,
    ) -> Self {
        let mut statistics = Self {
            unpriced_orders: u64::from(!order.is_priced()),
            ..Self::default()
        };
        statistics.count_order(order);
        for fee in FeeType::ALL {
            if let Some(amount) = bill.fee(fee) {
                statistics.charge(fee, amount.minor_units());
            }
        }
        for item in &order.items {
            statistics.count_item(item, promise);
        }
        statistics
    }

    /// Keyed by SKU; `None` for the amounts that belong to no single item, such as shipping.
    pub(super) fn of_skus<'a>(
        order: &'a PlacedOrder,
        bill: &CorrectedBill<'_>,
        promise: ShipByTime<'_>,
    ) -> BTreeMap<Option<&'a str>, Self> {
        let mut parts: BTreeMap<Option<&str>, Self> = BTreeMap::new();
        for item in &order.items {
            let part = parts.entry(Some(&item.sku)).or_default();
            part.count_item(item, promise);
        }
        for line in bill.lines() {
            let mut items = order.items.iter();
            let item = items.find(|item| line.item == Some(item.state.id));
            let part = parts.entry(item.map(|item| item.sku.as_str()));
            part.or_default().charge(line.fee, line.amount);
        }
        // Unpriced orders count under the SKUs that lack a unit cost, so that a report by SKU shows
        // the cause.
        if !order.is_priced() {
            for sku in unpriced_skus(order) {
                parts.entry(sku).or_default().unpriced_orders = 1;
            }
        }
        for (sku, part) in &mut parts {
            // An order counts once for each of its live SKUs. A SKU with cancelled units only does
            // not count it, unless the whole order is cancelled.
            if part.units > 0 || sku.is_none() || order.is_cancelled() {
                part.count_order(order);
            }
        }
        parts
    }

    /// Adds the counts and amounts of `other`, which must be in the same currency.
    pub(super) fn add(&mut self, other: &Self) {
        self.orders += other.orders;
        self.units += other.units;
        for (sum, added) in self.fees.iter_mut().zip(other.fees) {
            *sum = match (*sum, added) {
                (Some(sum), Some(added)) => Some(sum.plus_sum(added)),
                (sum, added) => sum.or(added),
            };
        }
        self.total = self.total.plus_sum(other.total);
        self.cancelled_orders += other.cancelled_orders;
        self.cancelled_units += other.cancelled_units;
        self.unpriced_orders += other.unpriced_orders;
        self.late_units += other.late_units;
        self.misprinted_units += other.misprinted_units;
    }

    fn count_order(&mut self, order: &PlacedOrder) {
        let cancelled = u64::from(order.is_cancelled());
        self.cancelled_orders = cancelled;
        self.orders = 1 - cancelled;
    }

    fn count_item(&mut self, item: &PlacedItem, promise: ShipByTime<'_>) {
        let units = u64::from(item.quantity);
        if item.is_cancelled() {
            self.cancelled_units += units;
        } else {
            self.units += units;
        }
        let ShipByTime { settings, now } = promise;
        // Items sent too late count as well, else they would vanish from the report when they are
        // sent (ADR 29).
        if missed_ship_by_time(&item.state, item.sent_at, settings, now) {
            self.late_units += units;
        }
        self.misprinted_units += u64::from(item.misprints);
    }

    fn charge(&mut self, fee: FeeType, units: i64) {
        if let Some(sum) = self.fees.get_mut(fee as usize) {
            *sum = Some(sum.unwrap_or_default().plus(units));
        }
        self.total = self.total.plus(units);
    }
}

/// Returns the SKUs without a unit cost; a single `None` if only other costs are unknown.
fn unpriced_skus(order: &PlacedOrder) -> Vec<Option<&str>> {
    let mut missing = order.bill.missing(order.kind.needed_fees());
    if !missing.any(|fee| fee == FeeType::Product) {
        return vec![None];
    }
    // Cancelled items cost nothing, so a missing unit cost does not matter.
    let live = order.items.iter().filter(|item| !item.is_cancelled());
    let unknown = live.filter(|item| item.unit_cost.is_none());
    unknown.map(|item| Some(item.sku.as_str())).collect()
}

/// Sum of amounts, in minor units. The currency is kept separately. The sum is exact and can be
/// negative. It has 128 bits, because 1,025 amounts of the highest value would overflow an `i64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum(i128);

impl Sum {
    /// Returns a sum of `units` minor units.
    pub fn from_minor(units: i64) -> Self {
        Self(i128::from(units))
    }

    /// Returns the sum plus `units` minor units. The result is exact for up to 2^64 additions.
    #[must_use]
    pub fn plus(self, units: i64) -> Self {
        Self(self.0.saturating_add(i128::from(units)))
    }

    /// Returns the sum of all amounts in `self` and `other`, which must be in the same currency.
    #[must_use]
    pub fn plus_sum(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Formats the sum in major units with all decimals of `currency`: `5.20` USD, `500` JPY.
    pub fn to_fixed(self, currency: Currency) -> String {
        let width = usize::try_from(currency.exponent()).unwrap_or(0);
        // Padded, so that at least one digit precedes the decimal point.
        let digits = format!("{:0>width$}", self.0.unsigned_abs(), width = width + 1);
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(width));
        let sign = if self.0 < 0 { "-" } else { "" };
        let point = if width > 0 { "." } else { "" };
        format!("{sign}{whole}{point}{fraction}")
    }

    /// Formats the sum in major units without trailing zeros: `5.2`, `-1250`, `500`.
    pub fn decimal(self, currency: Currency) -> String {
        let text = self.to_fixed(currency);
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pressline_domain::value::MAX_MINOR_UNITS;

    #[test]
    fn a_sum_has_the_decimals_of_its_currency() {
        for (units, code, fixed, decimal) in [
            (520, "USD", "5.20", "5.2"),
            (5, "USD", "0.05", "0.05"),
            (0, "USD", "0.00", "0"),
            (-125_000, "USD", "-1250.00", "-1250"),
            (-5, "USD", "-0.05", "-0.05"),
            (500, "JPY", "500", "500"),
            (1234, "KWD", "1.234", "1.234"),
        ] {
            let (sum, currency) = (Sum::from_minor(units), code.parse().unwrap());
            assert_eq!(sum.to_fixed(currency), fixed);
            assert_eq!(sum.decimal(currency), decimal);
        }
    }

    #[test]
    fn a_sum_of_many_of_the_largest_amounts_is_exact() {
        let sum = (0..10_000).fold(Sum::default(), |sum, _| sum.plus(MAX_MINOR_UNITS));
        assert_eq!(sum.to_fixed(Currency::USD), "900719925474099100.00");
        let less = (0..10_000).fold(sum, |sum, _| sum.plus(-MAX_MINOR_UNITS));
        assert_eq!(less, Sum::default());
    }
}
