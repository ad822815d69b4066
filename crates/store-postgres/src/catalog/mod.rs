//! The catalog in PostgreSQL, as orders and stores ask for it.

mod admin;
mod import;
mod search;

use async_trait::async_trait;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Nullable, Record, Text};
use pressline_domain::catalog::{Catalog, CatalogVersion, FoundProducts, Offer, ProductQuery};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_store_kit::schema::products;
use pressline_store_kit::{OfferRows, PriceRow, VariantRow, blocking};

use crate::PostgresStore;

pub(crate) use search::SelectProducts;

#[async_trait]
impl Catalog for PostgresStore {
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer, RepositoryError> {
        let select = SelectOffer {
            store_id: store.to_string(),
            skus: skus.iter().map(|sku| (*sku).to_owned()).collect(),
            have: have.map(|version| version.0),
        };
        let rows = self
            .pool
            .call(move |connection, _| Ok((&select).load(connection)?))
            .await?;
        offer_rows(rows)?.restore(have)
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError> {
        let list = match self.skus.fresh() {
            Some(list) => list,
            None => {
                let reading = self.skus.read();
                let all = self
                    .pool
                    .call(|connection, _| Ok(all_skus(connection)?))
                    .await?;
                self.skus.keep(reading, all)
            }
        };
        let sku = sku.to_owned();
        blocking(move || Ok(list.near(&sku, limit))).await
    }

    async fn search(
        &self,
        store: StoreId,
        query: &ProductQuery,
    ) -> Result<FoundProducts, RepositoryError> {
        let select = search::SelectProducts::of(store, query);
        let (store, size) = (store.to_string(), query.size);
        self.pool
            .search(&store, move |connection| select.found(connection, size))
            .await
    }
}

fn all_skus(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    products::table.select(products::sku).load(connection)
}

/// A price without its SKU, as [`push_prices`] lists it.
type Price = (String, String, i64, i64);
type PriceSql = Record<(Text, Text, BigInt, BigInt)>;

/// Writes an array of the prices that a store has of the variant of a row of `products`.
fn push_prices<'b>(out: &mut AstPass<'_, 'b, Pg>, store_id: &'b String) -> QueryResult<()> {
    out.push_sql(
        "ARRAY(SELECT ROW(store_id, currency, valid_from, amount) FROM prices WHERE store_id IN ('', ",
    );
    out.push_bind_param::<Text, _>(store_id)?;
    out.push_sql(") AND prices.sku = products.sku)");
    Ok(())
}

fn price_rows(sku: &str, prices: Vec<Price>) -> Vec<PriceRow> {
    let row = |(store_id, currency, valid_from, amount)| PriceRow {
        store_id,
        sku: sku.to_owned(),
        currency,
        valid_from,
        amount,
    };
    prices.into_iter().map(row).collect()
}

/// A variant and its prices.
fn priced(variant: VariantRow, prices: Vec<Price>) -> (VariantRow, Vec<PriceRow>) {
    let prices = price_rows(&variant.sku, prices);
    (variant, prices)
}

/// Reads what an order is priced with: one statement, which sees one state. There is a row for each
/// variant, or one without any. The first has the documents, unless the caller has them.
pub(crate) struct SelectOffer {
    pub(crate) store_id: String,
    pub(crate) skus: Vec<String>,
    pub(crate) have: Option<i64>,
}

/// The version, the rates, whose schedule of fees and the document, a variant and its prices.
type OfferRow = (
    i64,
    Option<String>,
    Option<(String, String)>,
    Option<VariantRow>,
    Vec<Price>,
);

impl QueryFragment<Pg> for SelectOffer {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT version");
        for document in [
            "document FROM shipping_rates",
            "ROW(store_id, document) FROM fee_schedules",
        ] {
            out.push_sql(", CASE WHEN row_number() OVER () = 1 AND version IS DISTINCT FROM ");
            out.push_bind_param::<Nullable<BigInt>, _>(&self.have)?;
            out.push_sql(" THEN (SELECT ");
            out.push_sql(document);
            if document.ends_with("fee_schedules") {
                out.push_sql(" WHERE store_id IN ('', ");
                out.push_bind_param::<Text, _>(&self.store_id)?;
                out.push_sql(") ORDER BY store_id DESC LIMIT 1");
            }
            out.push_sql(") END");
        }
        out.push_sql(", ");
        products::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(", ");
        push_prices(&mut out, &self.store_id)?;
        out.push_sql(
            " FROM (SELECT version FROM catalog_version WHERE id = 1) AS catalog \
             LEFT JOIN products ON products.sku = ANY(",
        );
        out.push_bind_param::<Array<Text>, _>(&self.skus)?;
        out.push_sql(")");
        Ok(())
    }
}

impl QueryId for SelectOffer {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for SelectOffer {
    type SqlType = (
        BigInt,
        Nullable<Text>,
        Nullable<Record<(Text, Text)>>,
        Nullable<products::SqlType>,
        Array<PriceSql>,
    );
}

impl RunQueryDsl<PgConnection> for &SelectOffer {}

fn offer_rows(rows: Vec<OfferRow>) -> Result<OfferRows, RepositoryError> {
    let Some(version) = rows.first().map(|row| row.0) else {
        return Err(RepositoryError::Refused(
            "the catalog has no version".into(),
        ));
    };
    let mut offer = OfferRows {
        version,
        ..OfferRows::default()
    };
    for (_, shipping, fees, variant, prices) in rows {
        offer.shipping = offer.shipping.or(shipping);
        offer.fees = offer.fees.or(fees);
        offer
            .variants
            .extend(variant.map(|variant| priced(variant, prices)));
    }
    Ok(offer)
}
