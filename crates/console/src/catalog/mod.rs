//! Catalog: what can be ordered and what it costs, as it is stored, and the price of a cart.

mod check;
mod import;
mod product;
mod sheet;
mod tab;

use std::collections::{BTreeMap, BTreeSet};

use pressline_domain::catalog::import::Content;
use pressline_domain::operator::OperatorRole;
use pressline_domain::store::{Store, StoreError};
use pressline_http::request_error::RequestError;

use crate::frame::Section;
use crate::import::import_routes;
use crate::route::{Access, Route, signed};
use crate::visit::Visit;
use import::IMPORTER;
use tab::Tab;

pub(crate) async fn reached_stores(visit: &Visit) -> Result<Vec<Store>, StoreError> {
    let records = visit.services().stores.list().await?;
    let stores = records.into_iter().map(|record| record.store);
    Ok(stores
        .filter(|store| visit.operator().reaches(store.id))
        .collect())
}

pub(crate) fn named(store: &Store) -> String {
    format!("{} ({})", store.name, store.prefix)
}

const READ: Access = Access::Role(OperatorRole::Viewer);
const READ_ALL: Access = Access::AllStores(OperatorRole::Viewer);

/// Names of products by SKU. The name of an item is its store's own.
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    /// Returns an error if the catalog cannot be read.
    pub(crate) async fn of<'s>(
        visit: &Visit,
        skus: impl Iterator<Item = &'s str>,
    ) -> Result<Self, RequestError> {
        let skus: BTreeSet<&str> = skus.collect();
        let skus: Vec<&str> = skus.into_iter().collect();
        let names = visit.services().products.names(&skus);
        Ok(Self(names.await?))
    }

    /// The catalog's name, else `of_item`; empty if both are unknown.
    pub(crate) fn get(&self, sku: &str, of_item: Option<&String>) -> String {
        self.0.get(sku).or(of_item).cloned().unwrap_or_default()
    }
}

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
