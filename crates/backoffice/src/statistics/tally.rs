//! Groups of orders and items, and their sums.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::count::{ShipByTime, Statistics};
use super::days::{Day, Days};
use super::port::PlacedOrder;
use pressline_domain::pricing::corrections::CorrectedBill;
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, MoneyError, OrderId, StoreId};

pressline_kit::named! {
    /// Grouping of the rows of a report.
    #[derive(Default)]
    pub enum GroupBy {
        /// A row for each store, with its orders in the range of days.
        #[default]
        Store = "store",
        /// A row for each SKU, and a row without SKU for amounts that belong to no single item.
        Sku = "sku",
        /// A row for each calendar day, with the orders placed on this day.
        Day = "day",
        /// A row for each order.
        Order = "order",
    }
}

/// Group of orders or items that a row of statistics counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// All orders of the store with this id.
    Store(StoreId),
    /// All items with this SKU; `None` for amounts that belong to no single item, such as shipping.
    Sku(Option<String>),
    /// All orders placed on this day.
    Day(Day),
    /// A single order.
    Order {
        /// Internal id of the order.
        id: OrderId,
        /// Store of the order.
        store: StoreId,
        /// Service order id, such as `DEMO-17`.
        number: String,
        /// Order id that the store assigned, or `number` if it assigned none.
        order_id: String,
    },
}

/// Row of a report: [`Statistics`] of a group in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatisticsRow {
    /// Store, SKU, day or order that the row counts.
    pub group: Group,
    /// Currency of the amounts.
    pub currency: Currency,
    /// Counts and amounts of the group, in `currency`.
    pub statistics: Statistics,
}

pub(super) struct Tally<'a> {
    by: GroupBy,
    days: &'a Days,
    /// Keyed by group and currency code.
    pub(super) rows: BTreeMap<(Group, &'static str), StatisticsRow>,
    /// Keyed by currency code.
    totals: BTreeMap<&'static str, (Currency, Statistics)>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(by: GroupBy, days: &'a Days) -> Self {
        Self {
            by,
            days,
            rows: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    /// Fails if the total of `order` overflows, which does not happen for stored orders.
    pub(super) fn add(
        &mut self,
        order: &PlacedOrder,
        promise: ShipByTime<'_>,
    ) -> Result<(), MoneyError> {
        let bill = CorrectedBill::new(&order.bill, &order.corrections)?;
        let statistics = Statistics::of_order(order, &bill, promise);
        let group = match self.by {
            GroupBy::Store => Some(Group::Store(order.store)),
            // An order can have several SKUs, which are counted below.
            GroupBy::Sku => None,
            GroupBy::Day => self.days.day_of(order.id.created_at()).map(Group::Day),
            GroupBy::Order => Some(Group::Order {
                id: order.id,
                store: order.store,
                number: order.number.to_string(),
                order_id: order.order_id.clone(),
            }),
        };
        if let Some(group) = group {
            self.count(group, order.currency, &statistics);
        }
        if self.by == GroupBy::Sku {
            for (sku, part) in Statistics::of_skus(order, &bill, promise) {
                let group = Group::Sku(sku.map(str::to_owned));
                self.count(group, order.currency, &part);
            }
        }
        // Totals are counted per order: the rows of SKUs would count an order several times.
        let currency = order.currency;
        let totals = self.totals.entry(currency.code());
        let (_, total) = totals.or_insert_with(|| (currency, Statistics::default()));
        total.add(&statistics);
        Ok(())
    }

    fn count(&mut self, group: Group, currency: Currency, statistics: &Statistics) {
        let row = self
            .rows
            .entry((group.clone(), currency.code()))
            .or_insert_with(|| StatisticsRow {
                group,
                currency,
                statistics: Statistics::default(),
            });
        row.statistics.add(statistics);
    }

    /// Sorts as in [`OrderStatistics::rows`](super::OrderStatistics::rows), by names of `stores`.
    pub(super) fn finish(
        self,
        stores: &HashMap<StoreId, Store>,
    ) -> (Vec<StatisticsRow>, Vec<(Currency, Statistics)>) {
        let mut rows: Vec<StatisticsRow> = self.rows.into_values().collect();
        match self.by {
            GroupBy::Store => rows.sort_by_cached_key(|row| match &row.group {
                Group::Store(id) => stores.get(id).map(|store| store.name.to_lowercase()),
                _ => None,
            }),
            GroupBy::Sku => rows.sort_by_key(|row| Reverse(row.statistics.units)),
            // The keys of the map already sort days and order ids.
            GroupBy::Day | GroupBy::Order => {}
        }
        (rows, self.totals.into_values().collect())
    }
}
