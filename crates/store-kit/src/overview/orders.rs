//! Reads orders with their items: by single ids for the overview, and by ranges of ids for reports.

use async_trait::async_trait;
use pressline_backoffice::overview::OpenOrder;
use pressline_backoffice::queue::OrderRef;
use pressline_backoffice::statistics::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_domain::error::{RepositoryError, Result};

use super::row::{LineRow, open, placed};
use super::texts::OverviewInput;
use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::{Failure, restore_all};

fn open_text() -> String {
    let text = lines_text(include_str!("sql/given_orders.sql"));
    let text = text.replace("{batches}", include_str!("sql/batches.sql"));
    text.replace("{batch}", "batches.batch")
}

/// Expects `orders` to be a common table expression that selects orders.
fn lines_text(orders: &str) -> String {
    let text = [orders, include_str!("sql/lines.sql")].concat();
    text.replace("{documents}", include_str!("sql/documents.sql"))
}

fn placed_text() -> String {
    let text = lines_text(include_str!("sql/placed_orders.sql"));
    // Reports do not need the batch of an item.
    let text = text.replace("{batches}", "");
    let text = text.replace("{batch}", "CAST(NULL AS BIGINT)");
    text.replace("{store}", ":store_id")
}

/// Returns the orders in ascending order of ids.
pub(super) fn open_orders(db: &mut Db<'_>, places: &[OrderRef]) -> Result<Vec<OpenOrder>, Failure> {
    let given = places.iter().map(|place| OverviewInput {
        store_id: place.store.to_string(),
        id: Some(place.order.id.to_string()),
    });
    let text = db.overview_text(&open_text(), &[("store_id", "TEXT"), ("id", "TEXT")]);
    let mut lines: Vec<LineRow> = Vec::new();
    for values in db.overview_parameters(given.collect())? {
        lines.extend(db.load::<LineRow>(&text, &values)?);
    }
    let orders = lines.chunk_by(LineRow::is_of_same_order).map(open);
    let mut orders = orders.collect::<Result<Vec<_>, RepositoryError>>()?;
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
            let lines = db.load::<LineRow>(&placed_text(), &values)?;
            restore_all(lines.chunk_by(LineRow::is_of_same_order), placed)
        })
        .await
    }
}
