//! Adds orders up in groups.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::count::{Promise, Statistics};
use super::days::Days;
use super::group::{Group, GroupBy};
use super::placed::PlacedOrder;
use pressline_domain::id::StoreId;
use pressline_domain::money::{Currency, MoneyError};
use pressline_domain::pricing::corrections::CorrectedBill;
use pressline_domain::store::Store;

/// The figures of a group in a currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatisticsRow {
    /// What they are about.
    pub group: Group,
    /// The currency of their amounts.
    pub currency: Currency,
    /// The figures.
    pub figures: Statistics,
}

pub(super) struct Tally<'a> {
    by: GroupBy,
    days: &'a Days,
    /// By group and code of the currency.
    pub(super) rows: BTreeMap<(Group, &'static str), StatisticsRow>,
    /// By code of the currency.
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

    /// Returns an error if the total of the order does not fit, as is the case with none that is stored.
    pub(super) fn add(
        &mut self,
        order: &PlacedOrder,
        promise: Promise<'_>,
    ) -> Result<(), MoneyError> {
        let bill = CorrectedBill::new(&order.bill, &order.corrections)?;
        let figures = Statistics::of_order(order, &bill, promise);
        let group = match self.by {
            GroupBy::Store => Some(Group::Store(order.store)),
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
            self.count(group, order.currency, &figures);
        }
        if self.by == GroupBy::Sku {
            for (sku, part) in Statistics::of_skus(order, &bill, promise) {
                let group = Group::Sku(sku.map(str::to_owned));
                self.count(group, order.currency, &part);
            }
        }
        let currency = order.currency;
        let totals = self.totals.entry(currency.code());
        let (_, total) = totals.or_insert_with(|| (currency, Statistics::default()));
        total.add(&figures);
        Ok(())
    }

    fn count(&mut self, group: Group, currency: Currency, figures: &Statistics) {
        let key = (group, currency.code());
        match self.rows.get_mut(&key) {
            Some(row) => row.figures.add(figures),
            None => {
                let row = StatisticsRow {
                    group: key.0.clone(),
                    currency,
                    figures: figures.clone(),
                };
                self.rows.insert(key, row);
            }
        }
    }

    /// Returns the rows, stores by their names, SKUs with most units first, days and orders as they follow each other; and
    /// the figures of all orders of each currency.
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
            GroupBy::Sku => rows.sort_by_key(|row| Reverse(row.figures.units)),
            GroupBy::Day | GroupBy::Order => {}
        }
        (rows, self.totals.into_values().collect())
    }
}
