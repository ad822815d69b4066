//! Reads the catalog in PostgreSQL, to price orders, to suggest SKUs and to search for products.

mod import;
pub(crate) mod search;

use async_trait::async_trait;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Record, Text};
use pressline_domain::catalog::{Catalog, CatalogVersion, Offer, ProductMatches, ProductQuery};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::StoreId;
use pressline_store_kit::schema::products;
use pressline_store_kit::{OfferRows, SqlText, VariantRow, statement};

use crate::PostgresStore;
use crate::columns::{Price, PriceSql, priced};

#[async_trait]
impl Catalog for PostgresStore {
    #[tracing::instrument(name = "db.catalog.offer", level = "debug", skip_all)]
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer> {
        let store_id = store.to_string();
        let skus: Vec<String> = skus.iter().map(|sku| (*sku).to_owned()).collect();
        let rows = self
            .pool
            .call(move |connection, _| {
                let statement = SelectOffer {
                    store_id: &store_id,
                    skus: &skus,
                    have: have.map(|version| version.0),
                };
                Ok(statement.load(connection)?)
            })
            .await?;
        offer_rows(rows)?.restore(have)
    }

    #[tracing::instrument(name = "db.catalog.suggest", level = "debug", skip_all)]
    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>> {
        self.cold().suggest_skus(&self.skus, sku, limit).await
    }

    #[tracing::instrument(name = "db.catalog.search", level = "debug", skip_all)]
    async fn search(&self, store: StoreId, query: &ProductQuery) -> Result<ProductMatches> {
        let (store_id, query) = (store.to_string(), query.clone());
        self.pool
            .search(store, move |connection| {
                search::search(connection, &store_id, &query)
            })
            .await
    }
}

statement! {
    /// Returns a row for each variant, or a single row without a variant if no SKU matches. The
    /// first row has the documents of rates and fees, unless `have` is the catalog's version.
    pub(crate) struct SelectOffer<'a> for Pg, returns OfferSql,
    text SqlText::new(include_str!("sql/offer.sql"), &[]),
    {
        store_id: &'a str = Text,
        skus: &'a [String] = Array<Text>,
        /// Catalog version of the caller's cached rates and fees; `None` without a cache.
        have: Option<i64> = Nullable<BigInt>,
    }
}

/// Columns of [`SelectOffer`]: catalog version, document of the shipping rates, owner and document
/// of the fee schedule, whether the store has prices of its own, variant, and the variant's prices.
type OfferRow = (
    i64,
    Option<String>,
    Option<(String, String)>,
    bool,
    Option<VariantRow>,
    Vec<Price>,
);

type OfferSql = (
    BigInt,
    Nullable<Text>,
    Nullable<Record<(Text, Text)>>,
    Bool,
    Nullable<products::SqlType>,
    Array<PriceSql>,
);

fn offer_rows(rows: Vec<OfferRow>) -> Result<OfferRows> {
    // The outer join returns at least a row, unless `catalog_version` is empty.
    let Some(version) = rows.first().map(|row| row.0) else {
        return Err(RepositoryError::Refused(
            "the catalog has no version".into(),
        ));
    };
    let mut offer = OfferRows {
        version,
        ..OfferRows::default()
    };
    for (_, shipping, fees, has_own_prices, variant, prices) in rows {
        offer.shipping = offer.shipping.or(shipping);
        offer.fees = offer.fees.or(fees);
        offer.has_own_prices = has_own_prices;
        offer
            .variants
            .extend(variant.map(|variant| priced(variant, prices)));
    }
    Ok(offer)
}
