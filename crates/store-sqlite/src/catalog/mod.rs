//! Reads the catalog in SQLite, to price orders, to suggest SKUs and to search for products.

mod import;
mod next_rows;
pub(crate) mod prices_of;
pub(crate) mod search;
mod staging;
mod tables;
pub(crate) mod words;

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::catalog::{Catalog, CatalogVersion, Offer, ProductMatches, ProductQuery};
use pressline_domain::error::Result;
use pressline_domain::value::StoreId;
use pressline_store_kit::schema::{
    catalog_version, fee_schedules, prices, products, shipping_rates,
};
use pressline_store_kit::{OfferRows, SqlText, statement};

use crate::SqliteStore;
use crate::error::Failure;
use prices_of::{list, with_prices};

pub(crate) use import::change_alone;

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
        let own_prices = prices::table.filter(prices::store_id.eq(store_id));
        let (version, has_own_prices) = catalog_version::table
            .select((catalog_version::version, exists(own_prices)))
            .get_result(connection)?;
        let mut offer = OfferRows {
            version,
            has_own_prices,
            ..OfferRows::default()
        };
        if have != Some(CatalogVersion(offer.version)) {
            offer.shipping = shipping_rates::table
                .select(shipping_rates::document)
                .get_result(connection)
                .optional()?;
            // The store's schedule sorts before the default schedule: the store id of the default
            // is empty.
            offer.fees = fee_schedules::table
                .filter(
                    fee_schedules::store_id
                        .eq("")
                        .or(fee_schedules::store_id.eq(store_id)),
                )
                .order(fee_schedules::store_id.desc())
                .get_result(connection)
                .optional()?;
        }
        let variants = SelectVariants { skus }.load(connection)?;
        offer.variants = with_prices(connection, store_id, variants)?;
        Ok(offer)
    })
}

statement! {
    pub(crate) struct SelectVariants<'a> for Sqlite, returns products::SqlType,
    text SqlText::new(include_str!("sql/variants.sql"), &[]),
    {
        skus: &'a str = Text,
    }
}
