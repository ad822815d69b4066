//! Use case of the overview.

use std::collections::HashMap;
use std::sync::Arc;

use super::open::open_orders;
use super::port::{Hours, Overview};
use super::today::{Terms, Today};
use crate::limits;
use crate::operator::Operator;
use crate::production::Steps;
use crate::queue::{CrossStoreQuery, OrderQueue, OrderRef, StoreFilter, StoresDraft};
use pressline_domain::check::Report;
use pressline_domain::error::Result;
use pressline_domain::order::{OrderError, OrderRepository};
use pressline_domain::runtime::Clock;
use pressline_domain::store::{StoreDirectory, StoreSettings};
use pressline_domain::value::{StoreId, Timestamp};

/// Computes the overview of the print shop's day.
#[derive(Clone)]
pub struct OverviewService {
    /// Finds orders across stores.
    pub queue: Arc<dyn OrderQueue>,
    /// Reads whole orders, for filters that [`Overview`] does not support.
    pub orders: Arc<dyn OrderRepository>,
    /// Reads the parts of orders that the overview needs.
    pub overview: Arc<dyn Overview>,
    /// Reads stores. Their `ship_by_seconds` decide whether an item is overdue.
    pub stores: Arc<dyn StoreDirectory>,
    /// Clock that decides whether an item is overdue.
    pub clock: Arc<dyn Clock>,
    /// Production steps of the print shop.
    pub steps: Steps,
}

/// Unchecked request for the overview: the stores to include, and the end of the operator's day.
#[derive(Clone, Debug, PartialEq)]
pub struct TodayDraft {
    /// Stores to include. Test stores are included only if `stores.test` is `true`.
    pub stores: StoresDraft,
    /// End of the day in the operator's time zone, for [`Today::due_units`].
    pub day_ends: Timestamp,
}

impl OverviewService {
    /// Returns the overview that `draft` requests, for the stores of `operator`. Counts the oldest
    /// [`limits::OVERVIEW_ORDERS`] orders with an item that is ready, in production or suspended.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` is invalid; [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn today(
        &self,
        operator: &Operator,
        draft: &TodayDraft,
    ) -> Result<Today, OrderError> {
        let mut report = Report::default();
        let store_filter = draft.stores.check(&mut report);
        report.check()?;
        let stores = store_filter.within(&operator.stores);
        let now = self.clock.now();
        let (places, is_complete) = self.oldest_open(stores.clone()).await?;
        let overview = &self.overview;
        let orders = overview.orders(&places).await?;
        let terms = Terms {
            steps: &self.steps,
            settings: &self.settings().await?,
            now,
            day_ends: draft.day_ends,
        };
        Ok(Today {
            hours: overview.hours(&stores, Hours::until(now)).await?,
            is_complete,
            ..terms.count(&orders)
        })
    }

    /// Returns up to [`limits::OVERVIEW_ORDERS`] orders, and `true` if no open order is left out.
    pub(super) async fn oldest_open(&self, stores: StoreFilter) -> Result<(Vec<OrderRef>, bool)> {
        let mut places = self.queue.page(&open_orders(stores)).await?;
        let limit = usize::try_from(limits::OVERVIEW_ORDERS).unwrap_or(usize::MAX);
        let is_complete = places.len() <= limit;
        // The query asks for one order more than the limit.
        places.truncate(limit);
        Ok((places, is_complete))
    }

    /// Moves `query.from` past the returned orders. Returns `true` if more orders follow.
    pub(super) async fn next_places(
        &self,
        query: &mut CrossStoreQuery,
    ) -> Result<(Vec<OrderRef>, bool)> {
        let places = self.queue.page(query).await?;
        let is_full = u32::try_from(places.len()).is_ok_and(|read| read >= query.count);
        let next = places.last().and_then(|last| last.order.id.next());
        query.from = next.unwrap_or(query.from);
        Ok((places, is_full && next.is_some()))
    }

    pub(super) async fn settings(&self) -> Result<HashMap<StoreId, StoreSettings>> {
        let records = self.stores.list().await?;
        let stores = records.into_iter().map(|record| record.store);
        Ok(stores.map(|store| (store.id, store.settings)).collect())
    }
}
