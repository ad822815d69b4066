//! Request bodies of file imports.

use pressline_backoffice::operator::ImportDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};
use crate::schema::CatalogContentName;

/// Import of parcels.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportShipments {
    /// Content of a CSV file with a header, up to 10 MiB and 20,000 rows.
    #[schema(value_type = String)]
    file: Lenient<String>,
    /// `true` to change nothing and only report the result that an import would have.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! { ImportShipments => ImportDraft { file, dry_run, .. } }

/// Import of a store's orders.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportOrders {
    /// Id of the store that the orders are placed in.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
    /// Content of a CSV file with a header, up to 10 MiB and 20,000 rows.
    #[schema(value_type = String)]
    file: Lenient<String>,
    /// `true` to change nothing and only report the result that an import would have.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! { ImportOrders => ImportDraft { store_id, file, dry_run, .. } }

/// Import of a part of the catalog.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImportCatalog {
    /// Kind of rows in `file`, such as `prices`.
    #[schema(value_type = CatalogContentName)]
    content: Lenient<String>,
    /// Content of a CSV file with a header, up to 10 MiB and 20,000 rows, with the same columns as
    /// an exported file.
    #[schema(value_type = String)]
    file: Lenient<String>,
    /// `true` to retire variants missing from a product file. For a price file, `true` to remove
    /// missing prices from each price list in the file. Shipping rates, and each fee schedule in a
    /// file, are always replaced entirely.
    #[schema(value_type = Option<bool>)]
    replace: Lenient<bool>,
    /// `true` to change nothing and only report the result that an import would have.
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! { ImportCatalog => ImportDraft { content, file, replace, dry_run, .. } }
