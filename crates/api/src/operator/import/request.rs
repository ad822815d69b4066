//! Bodies of operations that import files.

use pressline_backoffice::operator::ImportDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};
use crate::schema::CatalogContentName;

/// A file of parcels.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportShipments {
    /// The content of a CSV file with a header, at most 10 MiB and 20,000 rows.
    #[schema(value_type = String)]
    file: Lenient<String>,
    /// True to change nothing and report only what an import would do, or what is wrong.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! { ImportShipments => ImportDraft { file, dry_run, .. } }

/// A file of orders of a store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportOrders {
    /// Id of the store that the orders are placed in.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
    /// The content of a CSV file with a header, at most 10 MiB and 20,000 rows. Rows with the same `order_id` are
    /// one order.
    #[schema(value_type = String)]
    file: Lenient<String>,
    /// True to change nothing and report only what an import would do, or what is wrong.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! { ImportOrders => ImportDraft { store_id, file, dry_run, .. } }

/// A file of the catalog.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportCatalog {
    /// What the file has.
    #[schema(value_type = CatalogContentName)]
    content: Lenient<String>,
    /// The content of a CSV file with a header, at most 10 MiB and 20,000 rows. The columns are those of exported files.
    #[schema(value_type = String)]
    file: Lenient<String>,
    /// True to retire the products that the file lacks, or to remove the prices that it lacks from the lists that
    /// it has. Shipping rates, and schedules of fees that the file has, are always replaced whole.
    #[schema(value_type = Option<bool>)]
    replace: Lenient<bool>,
    /// True to change nothing and report only what an import would do, or what is wrong.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! { ImportCatalog => ImportDraft { content, file, replace, dry_run, .. } }
