//! Reads the catalog in SQLite, to price orders, to suggest SKUs and to search for products.

mod import;
mod next_rows;
pub(crate) mod prices_of;
pub(crate) mod search;
mod staging;
pub(crate) mod words;

use async_trait::async_trait;
use diesel::Connection as _;
use diesel::result::Error::NotFound;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{Catalog, CatalogVersion, Offer, ProductMatches, ProductQuery};
use pressline_domain::error::Result;
use pressline_domain::value::StoreId;
use pressline_store_kit::{OfferRows, Sql};

use crate::SqliteStore;
use crate::error::Failure;
use crate::sql::{load, load_first};
use prices_of::{list, with_prices};

pub(crate) use import::change_alone;

static VERSION: Sql = Sql::new(
    "SELECT
         version,
         EXISTS (SELECT 1 FROM prices WHERE store_id = :store_id) AS has_own_prices
     FROM catalog_version",
);
static SHIPPING: Sql = Sql::new("SELECT document FROM shipping_rates");
// The store's schedule sorts before the default schedule: the store id of the default is empty.
static FEES: Sql = Sql::new(
    "SELECT store_id, document
     FROM fee_schedules
     WHERE store_id IN ('', :store_id)
     ORDER BY store_id DESC",
);
pub(crate) static VARIANTS: Sql = Sql::new(include_str!("sql/variants.sql"));

#[async_trait]
impl Catalog for SqliteStore {
    #[tracing::instrument(name = "db.catalog.offer", level = "debug", skip_all)]
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer> {
        let (store_id, skus) = (store.to_string(), list(skus.iter().copied())?);
        let rows = self
            .readers
            .call(move |connection| offer(connection, &store_id, &skus, have))
            .await?;
        rows.restore(have)
    }

    #[tracing::instrument(name = "db.catalog.suggest", level = "debug", skip_all)]
    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>> {
        self.cold().suggest_skus(&self.skus, sku, limit).await
    }

    #[tracing::instrument(name = "db.catalog.search", level = "debug", skip_all)]
    async fn search(&self, store: StoreId, query: &ProductQuery) -> Result<ProductMatches> {
        let (store_id, query) = (store.to_string(), query.clone());
        self.readers
            .search(store, move |connection| {
                search::search(connection, &store_id, &query)
            })
            .await
    }
}

/// Expects a JSON list in `skus`. Reads rates and fees unless `have` is the catalog's version.
fn offer(
    connection: &mut SqliteConnection,
    store_id: &str,
    skus: &str,
    have: Option<CatalogVersion>,
) -> Result<OfferRows, Failure> {
    connection.transaction(|connection| {
        let values = [("store_id", store_id.into())];
        let (version, has_own_prices): (i64, bool) =
            load_first(connection, &VERSION, &values)?.ok_or(NotFound)?;
        let mut offer = OfferRows {
            version,
            has_own_prices,
            ..OfferRows::default()
        };
        if have != Some(CatalogVersion(offer.version)) {
            offer.shipping = load_first(connection, &SHIPPING, &[])?;
            offer.fees = load_first(connection, &FEES, &values)?;
        }
        let variants = load(connection, &VARIANTS, &[("skus", skus.into())])?;
        offer.variants = with_prices(connection, store_id, variants)?;
        Ok(offer)
    })
}
