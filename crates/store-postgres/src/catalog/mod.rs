//! Reads the catalog in PostgreSQL, to price orders, to suggest SKUs and to search for products.

mod import;
pub(crate) mod search;

use async_trait::async_trait;
use pressline_domain::catalog::{Catalog, CatalogVersion, Offer, ProductMatches, ProductQuery};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::StoreId;
use pressline_store_kit::{OfferRows, PriceRow, Row, Sql, VariantRow};

use crate::PostgresStore;
use crate::arrays::{Kind, List, Values, array, load};

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
                Ok(load(
                    connection,
                    &OFFER,
                    &offer_values(&store_id, &skus, have),
                )?)
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

/// Returns a row for each variant, or a single row without a variant if no SKU matches. The first
/// row has the documents of rates and fees, unless `have` is the catalog's version.
pub(crate) static OFFER: Sql = Sql::new(include_str!("sql/offer.sql"));

/// Returns the values of [`OFFER`]. `have` is the version of the rates and fees that the caller
/// already has.
pub(crate) fn offer_values<'v>(
    store_id: &'v str,
    skus: &'v [String],
    have: Option<CatalogVersion>,
) -> Values<'v> {
    vec![
        ("have", have.map(|version| version.0).into()),
        ("store_id", store_id.into()),
        ("skus", array(Kind::Text, skus)),
    ]
}

#[derive(Row)]
#[row(read)]
struct OfferRow {
    /// Version of the catalog.
    version: i64,
    /// Document of the shipping rates.
    shipping: Option<String>,
    /// Owner and document of the fee schedule; empty without a schedule.
    fees: List<(String, String)>,
    has_own_prices: bool,
    /// `None` in the row of an offer without variants.
    variant: Option<VariantRow>,
    prices: List<PriceRow>,
}

fn offer_rows(rows: Vec<OfferRow>) -> Result<OfferRows> {
    // The outer join returns at least a row, unless `catalog_version` is empty.
    let Some(version) = rows.first().map(|row| row.version) else {
        return Err(RepositoryError::Refused(
            "the catalog has no version".into(),
        ));
    };
    let mut offer = OfferRows {
        version,
        ..OfferRows::default()
    };
    for row in rows {
        offer.shipping = offer.shipping.or(row.shipping);
        offer.fees = offer.fees.or(row.fees.into_iter().next());
        offer.has_own_prices = row.has_own_prices;
        let prices = row.prices.into();
        offer
            .variants
            .extend(row.variant.map(|variant| (variant, prices)));
    }
    Ok(offer)
}
