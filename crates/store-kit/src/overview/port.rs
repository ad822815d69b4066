//! Implements the ports of the overview and of reports.

use async_trait::async_trait;
use pressline_backoffice::overview::{HourCounts, Hours, OpenOrder, Overview};
use pressline_backoffice::queue::{OrderRef, StoreFilter};
use pressline_backoffice::statistics::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_domain::error::Result;

use super::{hours, orders};
use crate::cold_store::{Access, ColdStore};

#[async_trait]
impl Overview for ColdStore {
    #[tracing::instrument(name = "db.overview.orders", level = "debug", skip_all)]
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>> {
        let places = places.to_vec();
        self.call(Access::Read, move |db| orders::open_orders(db, &places))
            .await
    }

    #[tracing::instrument(name = "db.overview.hours", level = "debug", skip_all)]
    async fn hours(&self, stores: &StoreFilter, hours: Hours) -> Result<Vec<HourCounts>> {
        let stores = stores.clone();
        self.call(Access::Read, move |db| hours::counts(db, &stores, hours))
            .await
    }
}

#[async_trait]
impl PlacedOrders for ColdStore {
    #[tracing::instrument(name = "db.figures.placed", level = "debug", skip_all)]
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>> {
        let range = *range;
        self.call(Access::OperatorSearch, move |db| {
            orders::placed_orders(db, &range)
        })
        .await
    }
}
