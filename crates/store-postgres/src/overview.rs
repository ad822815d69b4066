//! The overview and placed orders in PostgreSQL. The store kit has the statements.

use async_trait::async_trait;
use pressline_backoffice::overview::{HourCounts, Hours, OpenOrder, Overview};
use pressline_backoffice::queue::{OrderRef, StoreFilter};
use pressline_backoffice::statistics::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{OverviewReader, OverviewTexts};

use crate::PostgresStore;
use crate::error::Failure;
use crate::order::OPERATORS;
use crate::webhook;

/// Returns the parts of the overview's statements that are specific to PostgreSQL. If `one_by_one`
/// is `true`, each statement reads a single store, as distributed tables require.
pub fn texts(one_by_one: bool) -> OverviewTexts {
    OverviewTexts {
        rows: webhook::DIALECT.rows,
        one_by_one,
    }
}

#[async_trait]
impl Overview for PostgresStore {
    #[tracing::instrument(name = "db.overview.orders", level = "debug", skip_all)]
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>, RepositoryError> {
        let (places, texts) = (places.to_vec(), texts(self.pool.is_distributed()));
        self.pool
            .call(move |connection, _| {
                OverviewReader::<_, Failure>::new(connection, texts).orders(&places)
            })
            .await
    }

    #[tracing::instrument(name = "db.overview.hours", level = "debug", skip_all)]
    async fn hours(
        &self,
        stores: &StoreFilter,
        hours: Hours,
    ) -> Result<Vec<HourCounts>, RepositoryError> {
        let (stores, texts) = (stores.clone(), texts(self.pool.is_distributed()));
        self.pool
            .call(move |connection, _| {
                OverviewReader::<_, Failure>::new(connection, texts).hours(&stores, hours)
            })
            .await
    }
}

#[async_trait]
impl PlacedOrders for PostgresStore {
    #[tracing::instrument(name = "db.figures.placed", level = "debug", skip_all)]
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError> {
        let (range, texts) = (*range, texts(self.pool.is_distributed()));
        self.pool
            .search(OPERATORS, move |connection| {
                OverviewReader::<_, Failure>::new(connection, texts).placed(&range)
            })
            .await
    }
}
