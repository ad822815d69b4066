//! Catalog: products, prices, shipping rates and fees, their import and export, and the price
//! check.

mod check;
mod import;
mod product;
mod sheet;
mod tab;

use pressline_backoffice::import::catalog::Content;
use pressline_backoffice::operator::OperatorRole;

use crate::shell::import::import_routes;
use crate::shell::{Access, Route, Section, routes};
use import::IMPORTER;

const READ: Access = Access::Role(OperatorRole::Viewer);
// Exported files are not filtered by store, so operators bound to stores get none.
const READ_ALL: Access = Access::AllStores(OperatorRole::Viewer);

pub(crate) const ROUTES: &[Route] = &Section::Catalog.routes(routes! {
    page.searching: "/console/catalog", "Products", READ => product::show, tab::PRODUCTS;
    page: "/console/catalog/fees", "Fees", READ => sheet::show, tab::FEES, Content::Fees;
    page.searching: "/console/catalog/fees.csv", "Export CSV of the fees", READ_ALL
        => sheet::file, Content::Fees;
    page: "/console/catalog/price-check", "Price check", READ => check::show;
    page.searching: "/console/catalog/prices", "Prices", READ => product::show, tab::PRICES;
    page.searching: "/console/catalog/prices.csv", "Export CSV of the prices", READ_ALL
        => sheet::file, Content::Prices;
    page.searching: "/console/catalog/products.csv", "Export CSV of the products", READ
        => sheet::file, Content::Variants;
    page: "/console/catalog/shipping", "Shipping", READ
        => sheet::show, tab::SHIPPING, Content::Shipping;
    page.searching: "/console/catalog/shipping.csv", "Export CSV of the shipping rates", READ
        => sheet::file, Content::Shipping;
});

pub(crate) const IMPORT: &[Route] = &Section::Catalog.routes(import_routes!(
    "/console/catalog/import",
    Access::AllStores(OperatorRole::Admin),
    IMPORTER
));
