//! The routes of the catalog.

use pressline_domain::operator::OperatorRole;

use super::import::CatalogFiles;
use super::{check, product, sheet};
use crate::frame::Section;
use crate::import;
use crate::route::{Access, Route, signed};

const READ: Access = Access::Role(OperatorRole::Viewer);
const READ_ALL: Access = Access::AllStores(OperatorRole::Viewer);
const IMPORT: Access = Access::AllStores(OperatorRole::Admin);

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/catalog",
        "Products",
        READ,
        signed!(product::products),
    )
    .below(Section::Catalog)
    .searching(),
    Route::page("/console/catalog/fees", "Fees", READ, signed!(sheet::fees))
        .below(Section::Catalog),
    Route::page(
        "/console/catalog/fees.csv",
        "Export CSV of the fees",
        READ_ALL,
        signed!(sheet::fees_file),
    )
    .below(Section::Catalog)
    .searching(),
    Route::page(
        "/console/catalog/import",
        "Import catalog",
        IMPORT,
        signed!(import::show::<CatalogFiles>),
    )
    .below(Section::Catalog)
    .searching(),
    Route::action(
        "/console/catalog/import",
        "Check file",
        IMPORT,
        signed!(import::receive::<CatalogFiles>),
    )
    .below(Section::Catalog)
    .uploading(),
    Route::page(
        "/console/catalog/import/errors.csv",
        "Download errors",
        IMPORT,
        signed!(import::errors::<CatalogFiles>),
    )
    .below(Section::Catalog)
    .searching(),
    Route::action(
        "/console/catalog/import/run",
        "Import rows",
        IMPORT,
        signed!(import::run::<CatalogFiles>),
    )
    .below(Section::Catalog),
    Route::page(
        "/console/catalog/price-check",
        "Price check",
        READ,
        signed!(check::show),
    )
    .below(Section::Catalog),
    Route::page(
        "/console/catalog/prices",
        "Prices",
        READ,
        signed!(product::prices),
    )
    .below(Section::Catalog)
    .searching(),
    Route::page(
        "/console/catalog/prices.csv",
        "Export CSV of the prices",
        READ_ALL,
        signed!(sheet::prices_file),
    )
    .below(Section::Catalog)
    .searching(),
    Route::page(
        "/console/catalog/products.csv",
        "Export CSV of the products",
        READ,
        signed!(sheet::products_file),
    )
    .below(Section::Catalog)
    .searching(),
    Route::page(
        "/console/catalog/shipping",
        "Shipping",
        READ,
        signed!(sheet::shipping),
    )
    .below(Section::Catalog),
    Route::page(
        "/console/catalog/shipping.csv",
        "Export CSV of the shipping rates",
        READ,
        signed!(sheet::shipping_file),
    )
    .below(Section::Catalog)
    .searching(),
];
