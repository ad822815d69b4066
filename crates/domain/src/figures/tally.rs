//! Adds orders up in groups.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::count::{Figures, Promise};
use super::days::Days;
use super::group::{Group, GroupBy};
use super::placed::PlacedOrder;
use crate::id::StoreId;
use crate::money::{Currency, MoneyError};
use crate::pricing::corrections::ShownBill;
use crate::store::Store;

/// The figures of a group in a currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureRow {
    /// What they are about.
    pub group: Group,
    /// The currency of their amounts.
    pub currency: Currency,
    /// The figures.
    pub figures: Figures,
}

/// Figures by the code of their currency.
type ByCurrency<K> = BTreeMap<K, (Currency, Figures)>;

/// Orders that are added up.
pub(super) struct Tally<'a> {
    by: GroupBy,
    days: &'a Days,
    rows: ByCurrency<(Group, &'static str)>,
    totals: ByCurrency<&'static str>,
}

impl<'a> Tally<'a> {
    /// Returns a tally of no orders.
    pub(super) fn new(by: GroupBy, days: &'a Days) -> Self {
        Self {
            by,
            days,
            rows: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds an order.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if the total of the order does not fit, as is the case with none that is stored.
    pub(super) fn add(
        &mut self,
        order: &PlacedOrder,
        promise: Promise<'_>,
    ) -> Result<(), MoneyError> {
        let bill = ShownBill::new(&order.bill, &order.corrections)?;
        let figures = Figures::of_order(order, &bill, promise);
        match self.by {
            GroupBy::Store => self.count(Group::Store(order.store), order.currency, &figures),
            GroupBy::Sku => {
                for (sku, part) in Figures::of_skus(order, &bill, promise) {
                    let group = Group::Sku(sku.map(str::to_owned));
                    self.count(group, order.currency, &part);
                }
            }
            GroupBy::Day => {
                if let Some(day) = self.days.day_of(order.id.created_at()) {
                    self.count(Group::Day(day), order.currency, &figures);
                }
            }
            GroupBy::Order => {
                let group = Group::Order {
                    id: order.id,
                    store: order.store,
                    number: order.number.to_string(),
                    order_id: order.order_id.clone(),
                };
                self.count(group, order.currency, &figures);
            }
        }
        let currency = order.currency;
        let totals = self.totals.entry(currency.code());
        let (_, total) = totals.or_insert_with(|| (currency, Figures::default()));
        total.add(&figures);
        Ok(())
    }

    fn count(&mut self, group: Group, currency: Currency, figures: &Figures) {
        let row = self.rows.entry((group, currency.code()));
        let (_, sums) = row.or_insert_with(|| (currency, Figures::default()));
        sums.add(figures);
    }

    /// Returns the rows, stores by their names, SKUs with most units first, days and orders as they follow each other; and
    /// the figures of all orders of each currency.
    pub(super) fn finish(
        self,
        stores: &HashMap<StoreId, Store>,
    ) -> (Vec<FigureRow>, Vec<(Currency, Figures)>) {
        let rows = self.rows.into_iter();
        let rows = rows.map(|((group, _), (currency, figures))| FigureRow {
            group,
            currency,
            figures,
        });
        let mut rows: Vec<FigureRow> = rows.collect();
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
