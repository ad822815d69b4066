//! The overview and placed orders in SQLite. The store kit has the statements.

use async_trait::async_trait;
use pressline_backoffice::overview::{HourCounts, Hours, OpenOrder, Overview};
use pressline_backoffice::queue::{OrderRef, StoreFilter};
use pressline_backoffice::statistics::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{OverviewReader, OverviewTexts};

use crate::SqliteStore;
use crate::error::Failure;
use crate::order::OPERATORS;
use crate::webhook;

/// Form in which statements take rows as a parameter.
pub const TEXTS: OverviewTexts = OverviewTexts {
    rows: webhook::DIALECT.rows,
    one_by_one: false,
};

#[async_trait]
impl Overview for SqliteStore {
    #[tracing::instrument(name = "db.overview.orders", level = "debug", skip_all)]
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>, RepositoryError> {
        let places = places.to_vec();
        self.readers
            .call(move |connection| {
                OverviewReader::<_, Failure>::new(connection, TEXTS).orders(&places)
            })
            .await
    }

    #[tracing::instrument(name = "db.overview.hours", level = "debug", skip_all)]
    async fn hours(
        &self,
        stores: &StoreFilter,
        hours: Hours,
    ) -> Result<Vec<HourCounts>, RepositoryError> {
        let stores = stores.clone();
        self.readers
            .call(move |connection| {
                OverviewReader::<_, Failure>::new(connection, TEXTS).hours(&stores, hours)
            })
            .await
    }
}

#[async_trait]
impl PlacedOrders for SqliteStore {
    #[tracing::instrument(name = "db.figures.placed", level = "debug", skip_all)]
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError> {
        let range = *range;
        self.readers
            .search(OPERATORS, move |connection| {
                OverviewReader::<_, Failure>::new(connection, TEXTS).placed(&range)
            })
            .await
    }
}
