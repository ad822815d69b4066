//! Reads orders with their items: given orders for the overview, and ranges of order ids for
//! reports.

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use pressline_backoffice::overview::OpenOrder;
use pressline_backoffice::queue::OrderRef;
use pressline_backoffice::statistics::{PlacedOrder, PlacedRange};
use pressline_domain::error::RepositoryError;

use super::row::{LineRow, LineSql, open, placed};
use super::{OverviewInput, OverviewReader, OverviewTexts};
use crate::cold::{Cold, load};
use crate::cold_value::Value;

impl OverviewTexts {
    pub(super) fn lines(self) -> String {
        let text = lines_text(include_str!("sql/given_orders.sql"));
        let text = text.replace("{batches}", include_str!("sql/batches.sql"));
        let text = text.replace("{batch}", "batches.batch");
        self.text(&text, &[("store_id", "TEXT"), ("id", "TEXT")])
    }
}

/// Returns a statement that reads the items of the common table expression `orders`.
fn lines_text(orders: &str) -> String {
    let text = [orders, include_str!("sql/lines.sql")].concat();
    text.replace("{documents}", include_str!("sql/documents.sql"))
}

pub(super) fn placed_text() -> String {
    let text = lines_text(include_str!("sql/placed_orders.sql"));
    // Reports do not need the batch of an item.
    let text = text.replace("{batches}", "");
    let text = text.replace("{batch}", "CAST(NULL AS BIGINT)");
    text.replace("{store}", ":store_id")
}

impl<C, F> OverviewReader<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    for<'q> Cold<LineSql>: LoadQuery<'q, C, LineRow>,
    Cold<()>: QueryFragment<C::Backend>,
{
    /// Returns the overview's data of the orders `places`, in ascending order of order ids.
    ///
    /// # Errors
    /// Returns an error if a query fails or a column has an invalid value.
    pub fn orders(&mut self, places: &[OrderRef]) -> Result<Vec<OpenOrder>, F> {
        let given = places.iter().map(|place| OverviewInput {
            store_id: place.store.to_string(),
            id: Some(place.order.id.to_string()),
        });
        let text = self.texts.lines();
        let mut lines: Vec<LineRow> = Vec::new();
        for values in self.texts.parameters(given.collect())? {
            lines.extend(load::<LineSql, LineRow, _>(
                self.connection,
                &text,
                &values,
            )?);
        }
        let orders = lines.chunk_by(LineRow::is_of_same_order).map(open);
        let mut orders = orders.collect::<Result<Vec<_>, RepositoryError>>()?;
        // Rows of several statements are sorted by store first.
        orders.sort_by_key(|order| order.id);
        Ok(orders)
    }

    /// Returns up to `range.count` orders from the start of `range`, in ascending order of order
    /// ids.
    ///
    /// # Errors
    /// Returns an error if the query fails or a column has an invalid value.
    pub fn placed(&mut self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, F> {
        let values = [
            ("store_id", Value::Text(range.store.to_string())),
            ("from_id", Value::Text(range.from.to_string())),
            ("before_id", Value::Text(range.before.to_string())),
            ("count", Value::BigInt(i64::from(range.count))),
        ];
        let lines = load::<LineSql, LineRow, _>(self.connection, &placed_text(), &values)?;
        let orders = lines.chunk_by(LineRow::is_of_same_order).map(placed);
        Ok(orders.collect::<Result<_, RepositoryError>>()?)
    }
}
