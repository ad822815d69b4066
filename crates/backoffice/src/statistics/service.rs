//! Use case: statistics of placed orders.

use std::collections::HashMap;
use std::sync::Arc;

use super::count::{ShipByTime, Statistics};
use super::days::Days;
use super::draft::{StatisticsDraft, ValidStatistics};
use super::port::{PlacedOrders, PlacedRange};
use super::tally::{GroupBy, StatisticsRow, Tally};
use crate::fields::valid;
use crate::limits;
use crate::operator::{Operator, ZoneName};
use pressline_domain::check::{IssueCode, Path, Report};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::order::OrderError;
use pressline_domain::runtime::Clock;
use pressline_domain::store::{Store, StoreDirectory};
use pressline_domain::value::{Currency, StoreId, Timestamp};

/// Computes statistics of placed orders.
#[derive(Clone)]
pub struct StatisticsService {
    /// Reads placed orders.
    pub orders: Arc<dyn PlacedOrders>,
    /// Reads stores. Their `ship_by_seconds` decide whether an item is overdue.
    pub stores: Arc<dyn StoreDirectory>,
    /// Clock that decides whether an item is overdue.
    pub clock: Arc<dyn Clock>,
    /// Limits the number of concurrent reports of all clones.
    pub permits: Arc<Permits>,
}

/// Counter of concurrent reports: each report holds a clone of the inner `Arc`.
#[derive(Default)]
pub struct Permits(Arc<()>);

impl Permits {
    /// Fails with `Unavailable` if [`limits::FIGURES_AT_ONCE`] permits are in use.
    fn take(&self) -> Result<Arc<()>> {
        let permit = Arc::clone(&self.0);
        // `self` itself holds a clone.
        if Arc::strong_count(&permit) > limits::FIGURES_AT_ONCE + 1 {
            let message = "too many reports are being made; try again later";
            return Err(RepositoryError::Unavailable(message.into()));
        }
        Ok(permit)
    }
}

/// Statistics of the orders placed within `days`.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderStatistics {
    /// Time at which the statistics were computed.
    pub at: Timestamp,
    /// Days on which the counted orders were placed.
    pub days: Days,
    /// Time zone of `days`.
    pub zone: ZoneName,
    /// Grouping of `rows`.
    pub by: GroupBy,
    /// Stores by name, SKUs by units in descending order, days and orders in chronological order.
    pub rows: Vec<StatisticsRow>,
    /// Totals of all orders, one for each currency. Each order counts once, even if its items are
    /// in the rows of several SKUs.
    pub totals: Vec<(Currency, Statistics)>,
    /// Stores that the request selects, keyed by id.
    pub stores: HashMap<StoreId, Store>,
}

impl StatisticsService {
    /// Returns the statistics of the orders that `draft` selects in the stores of `operator`.
    /// Orders are added up in parts, so memory grows with the number of rows only.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` is invalid or the report has more than
    /// [`limits::FIGURE_ROWS`] rows. [`OrderError::Repository`] if a query fails, or while
    /// [`limits::FIGURES_AT_ONCE`] other reports are computed.
    #[pressline_kit::boxed]
    pub async fn orders(
        &self,
        operator: &Operator,
        draft: &StatisticsDraft,
    ) -> Result<OrderStatistics, OrderError> {
        let now = self.clock.now();
        let mut report = Report::default();
        let asked = draft.check(operator, now, &mut report);
        let asked = valid(asked, &mut report)?;
        // Taken after the check, so that an invalid request occupies no slot.
        let _turn = self.permits.take()?;
        let stores = self.stores(&asked).await?;
        let mut tally = Tally::new(asked.by, &asked.days);
        // Read store by store in parts: one statement about a month could hold a connection for
        // minutes (ADR 29).
        for store in stores.values() {
            let promise = ShipByTime {
                settings: &store.settings,
                now,
            };
            self.add(&asked.days, store.id, promise, &mut tally).await?;
        }
        let (rows, totals) = tally.finish(&stores);
        Ok(OrderStatistics {
            at: now,
            zone: asked.zone,
            by: asked.by,
            rows,
            totals,
            stores,
            days: asked.days,
        })
    }

    async fn stores(&self, asked: &ValidStatistics) -> Result<HashMap<StoreId, Store>> {
        let (records, wanted) = (self.stores.list().await?, &asked.stores);
        let stores = records
            .into_iter()
            .map(|record| record.store)
            .filter(|store| wanted.include(store.id, store.test));
        Ok(stores.map(|store| (store.id, store)).collect())
    }

    async fn add(
        &self,
        days: &Days,
        store: StoreId,
        promise: ShipByTime<'_>,
        tally: &mut Tally<'_>,
    ) -> Result<(), OrderError> {
        let (from, before) = days.ids();
        let mut range = PlacedRange {
            store,
            from,
            before,
            count: limits::PLACED_ORDERS,
        };
        loop {
            let orders = self.orders.placed(&range).await?;
            for order in &orders {
                let added = tally.add(order, promise);
                // The total of a stored order fits, so an overflow means corrupt data.
                added.map_err(|error| RepositoryError::Refused(error.into()))?;
            }
            // Checked after each part, so that memory stays bounded.
            if tally.rows.len() > limits::FIGURE_ROWS {
                return Err(too_many_rows());
            }
            let is_full = u32::try_from(orders.len()).is_ok_and(|read| read >= range.count);
            let next = orders.last().and_then(|last| last.id.next());
            match next.filter(|_| is_full) {
                Some(next) => range.from = next,
                None => return Ok(()),
            }
        }
    }
}

fn too_many_rows() -> OrderError {
    let mut report = Report::default();
    let message = format!(
        "more than {} rows; choose fewer days or stores",
        limits::FIGURE_ROWS
    );
    report.violation(&Path::Root.key("by"), IssueCode::OutOfRange, message);
    report.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_reports_are_made_at_once() {
        let permits = Permits::default();
        let taken: Vec<_> = (0..limits::FIGURES_AT_ONCE)
            .map(|_| permits.take())
            .collect();
        assert!(taken.iter().all(Result::is_ok));
        for _ in 0..2 {
            let refused = permits.take();
            assert!(matches!(refused, Err(RepositoryError::Unavailable(_))));
        }
        drop(taken);
        assert!(permits.take().is_ok());
    }
}
