//! The use case of figures, over the ports.

use std::collections::HashMap;
use std::sync::Arc;

use super::count::{Promise, Statistics};
use super::days::Days;
use super::draft::{StatisticsDraft, ValidStatistics};
use super::group::GroupBy;
use super::port::{PlacedOrders, PlacedRange};
use super::tally::{StatisticsRow, Tally};
use crate::operator::{Operator, ZoneName};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::limits;
use pressline_domain::money::Currency;
use pressline_domain::order::OrderError;
use pressline_domain::report::{IssueCode, Path, Report};
use pressline_domain::runtime::Clock;
use pressline_domain::store::{Store, StoreDirectory};
use pressline_domain::time::Timestamp;

/// Adds placed orders up. Clones share what bounds them.
#[derive(Clone)]
pub struct StatisticsService {
    ports: StatisticsPorts,
    permits: Arc<Permits>,
}

/// A clone of the inner value is the right to make figures.
#[derive(Default)]
struct Permits(Arc<()>);

/// What [`StatisticsService`] is made of.
#[derive(Clone)]
pub struct StatisticsPorts {
    /// Reads the orders.
    pub orders: Arc<dyn PlacedOrders>,
    /// Knows the stores, and what they are promised.
    pub stores: Arc<dyn StoreDirectory>,
    /// Says what is late.
    pub clock: Arc<dyn Clock>,
}

/// The figures of the orders that were placed on some days.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderStatistics {
    /// The moment that they are of.
    pub at: Timestamp,
    /// The days.
    pub days: Days,
    /// The time zone that the days are of.
    pub zone: ZoneName,
    /// What a row is.
    pub by: GroupBy,
    /// The rows: stores by their names, SKUs with most units first, days and orders as they follow each other.
    pub rows: Vec<StatisticsRow>,
    /// The figures of all orders of each currency. An order counts once, though it is in the rows of several SKUs.
    pub totals: Vec<(Currency, Statistics)>,
    /// The stores that were asked for.
    pub stores: HashMap<StoreId, Store>,
}

impl StatisticsService {
    /// Returns the service over these ports.
    pub fn new(ports: StatisticsPorts) -> Self {
        Self {
            ports,
            permits: Arc::default(),
        }
    }

    /// Returns the figures of the orders that were placed on some days, of the stores that an operator reaches or of some of
    /// them. Orders are read and added up in parts, so that memory is needed for the rows alone.
    ///
    /// # Errors
    /// [`OrderError::Invalid`], also for more than [`limits::FIGURE_ROWS`] rows, and [`OrderError::Repository`]: as the
    /// repositories fail, and while [`limits::FIGURES_AT_ONCE`] others are made.
    #[pressline_kit::boxed]
    pub async fn orders(
        &self,
        operator: &Operator,
        draft: &StatisticsDraft,
    ) -> Result<OrderStatistics, OrderError> {
        let now = self.ports.clock.now();
        let mut report = Report::default();
        let asked = draft.check(operator, now, &mut report);
        let Some(asked) = asked.filter(|_| report.violations.is_empty()) else {
            return Err(report.into());
        };
        let _turn = self.begin()?;
        let stores = self.stores(&asked).await?;
        let mut tally = Tally::new(asked.by, &asked.days);
        for store in stores.values() {
            let promise = Promise {
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

    fn begin(&self) -> Result<Arc<()>, RepositoryError> {
        let permit = Arc::clone(&self.permits.0);
        // One clone is the service's own.
        if Arc::strong_count(&permit) > limits::FIGURES_AT_ONCE + 1 {
            let message = "as many reports as possible are being made";
            return Err(RepositoryError::Unavailable(message.into()));
        }
        Ok(permit)
    }

    async fn stores(
        &self,
        asked: &ValidStatistics,
    ) -> Result<HashMap<StoreId, Store>, RepositoryError> {
        let (records, wanted) = (self.ports.stores.list().await?, &asked.stores);
        let stores = records.into_iter().map(|record| record.store);
        let stores = stores.filter(|store| wanted.include(store.id, store.test));
        Ok(stores.map(|store| (store.id, store)).collect())
    }

    async fn add(
        &self,
        days: &Days,
        store: StoreId,
        promise: Promise<'_>,
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
            let orders = self.ports.orders.placed(&range).await?;
            for order in &orders {
                let added = tally.add(order, promise);
                added.map_err(|error| RepositoryError::Refused(error.into()))?;
            }
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
    use crate::memory::MemoryOverview;
    use crate::memory::MemoryProduction;
    use pressline_domain::memory::MemoryStores;
    use pressline_domain::memory::{MemoryCatalog, MemoryOrders};
    use pressline_domain::runtime::FixedClock;

    #[test]
    fn few_figures_are_made_at_once() {
        let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
        let orders = MemoryOrders::new(&stores, &catalog);
        let service = StatisticsService::new(StatisticsPorts {
            orders: Arc::new(MemoryOverview::new(&orders, &MemoryProduction::default())),
            stores: Arc::new(stores),
            clock: Arc::new(FixedClock::at(Timestamp::from_millis(0))),
        });
        let other = service.clone();
        let permits: Vec<_> = (0..limits::FIGURES_AT_ONCE)
            .map(|_| service.begin())
            .collect();
        assert!(permits.iter().all(Result::is_ok));
        for _ in 0..2 {
            let refused = other.begin();
            assert!(matches!(refused, Err(RepositoryError::Unavailable(_))));
        }
        drop(permits);
        assert!(other.begin().is_ok());
    }
}
