//! Placed orders for figures, in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::figures::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_store_kit::FiguresReader;

use crate::SqliteStore;
use crate::error::Failure;
use crate::order::OPERATORS;

#[async_trait]
impl PlacedOrders for SqliteStore {
    #[tracing::instrument(name = "db.figures.placed", level = "debug", skip_all)]
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError> {
        let range = *range;
        self.readers
            .search(OPERATORS, move |connection| {
                FiguresReader::<_, Failure>::new(connection).placed(&range)
            })
            .await
    }
}
