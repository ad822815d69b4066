//! Reads orders with their items: by single ids for the overview, and by ranges of ids for reports.

use async_trait::async_trait;
use pressline_backoffice::overview::OpenOrder;
use pressline_backoffice::queue::OrderRef;
use pressline_backoffice::statistics::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_domain::error::{RepositoryError, Result};

use super::row::{LineRow, open, placed};
use super::texts::{OverviewInput, OverviewTexts};
use crate::cold_store::{Access, ColdStore, Db};
use crate::dialect::Texts;
use crate::failure::{Failure, restore_all};

const OPEN_ORDERS: OverviewTexts = OverviewTexts {
    of_any: Texts {
        postgres: include_str!("sql/open_orders.postgres.sql"),
        sqlite: include_str!("sql/open_orders.sqlite.sql"),
    },
    of_store: include_str!("sql/open_orders_of_store.postgres.sql"),
};

/// Returns the orders in ascending order of ids.
pub(super) fn open_orders(db: &mut Db<'_>, places: &[OrderRef]) -> Result<Vec<OpenOrder>, Failure> {
    let given = places.iter().map(|place| OverviewInput {
        store_id: place.store.to_string(),
        id: Some(place.order.id.to_string()),
    });
    let mut lines: Vec<LineRow> = Vec::new();
    for values in db.overview_parameters(given.collect())? {
        lines.extend(db.load_overview::<LineRow>(&OPEN_ORDERS, &values)?);
    }
    let mut orders = lines
        .chunk_by(LineRow::is_of_same_order)
        .map(open)
        .collect::<Result<Vec<_>, RepositoryError>>()?;
    // Rows of several statements are sorted by store first.
    orders.sort_by_key(|order| order.id);
    Ok(orders)
}

#[async_trait]
impl PlacedOrders for ColdStore {
    #[tracing::instrument(name = "db.statistics.placed", level = "debug", skip_all)]
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>> {
        let range = *range;
        self.call(Access::OperatorSearch, move |db| {
            let values = [
                ("store_id", range.store.into()),
                ("from_id", range.from.into()),
                ("before_id", range.before.into()),
                ("count", range.count.into()),
            ];
            let lines = db.load::<LineRow>(include_str!("sql/placed_orders.sql"), &values)?;
            restore_all(lines.chunk_by(LineRow::is_of_same_order), placed)
        })
        .await
    }
}
