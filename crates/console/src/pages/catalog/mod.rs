//! Catalog: products, prices, shipping rates and fees as stored, and the price check.

mod check;
mod import;
mod product;
mod sheet;
mod tab;

use pressline_backoffice::import::catalog::Content;
use pressline_backoffice::operator::OperatorRole;

use crate::shell::access::Access;
use crate::shell::import::import_routes;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;
use import::IMPORTER;
use tab::Tab;

const READ: Access = Access::Role(OperatorRole::Viewer);
// Exported files are not filtered by store, so operators bound to stores get none.
const READ_ALL: Access = Access::AllStores(OperatorRole::Viewer);

pub(crate) const ROUTES: &[Route] = &Section::Catalog.routes([
    Route::search(
        "/console/catalog",
        "Products",
        READ,
        signed!(product::show, Tab::Products),
    ),
    Route::page(
        "/console/catalog/fees",
        "Fees",
        READ,
        signed!(sheet::show, Tab::Fees, Content::Fees),
    ),
    Route::search(
        "/console/catalog/fees.csv",
        "Export CSV of the fees",
        READ_ALL,
        signed!(sheet::file, Tab::Fees),
    ),
    Route::page(
        "/console/catalog/price-check",
        "Price check",
        READ,
        signed!(check::show),
    ),
    Route::search(
        "/console/catalog/prices",
        "Prices",
        READ,
        signed!(product::show, Tab::Prices),
    ),
    Route::search(
        "/console/catalog/prices.csv",
        "Export CSV of the prices",
        READ_ALL,
        signed!(sheet::file, Tab::Prices),
    ),
    Route::search(
        "/console/catalog/products.csv",
        "Export CSV of the products",
        READ,
        signed!(sheet::file, Tab::Products),
    ),
    Route::page(
        "/console/catalog/shipping",
        "Shipping",
        READ,
        signed!(sheet::show, Tab::Shipping, Content::Shipping),
    ),
    Route::search(
        "/console/catalog/shipping.csv",
        "Export CSV of the shipping rates",
        READ,
        signed!(sheet::file, Tab::Shipping),
    ),
]);

pub(crate) const IMPORT: &[Route] = &Section::Catalog.routes(import_routes!(
    "/console/catalog/import",
    Access::AllStores(OperatorRole::Admin),
    IMPORTER
));
