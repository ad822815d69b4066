//! Variants with their prices for a store.

use std::collections::HashMap;

use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{PriceRow, Sql, VariantRow};

use crate::error::Failure;
use crate::sql::load;

pub(crate) static PRICES: Sql = Sql::new(include_str!("sql/prices.sql"));

/// Returns `texts` as a JSON list, because a single parameter can then pass any number of them.
pub(super) fn list<'a>(texts: impl Iterator<Item = &'a str>) -> Result<String, RepositoryError> {
    let texts: Vec<&str> = texts.collect();
    pressline_store_kit::text_list(&texts)
}

/// Returns the prices in the default price list and in the price list of `store_id`.
pub(super) fn with_prices(
    connection: &mut SqliteConnection,
    store_id: &str,
    variants: Vec<VariantRow>,
) -> Result<Vec<(VariantRow, Vec<PriceRow>)>, Failure> {
    if variants.is_empty() {
        return Ok(Vec::new());
    }
    let skus = list(variants.iter().map(|variant| variant.sku.as_str()))?;
    let values = [("store_id", store_id.into()), ("skus", skus.into())];
    let prices: Vec<PriceRow> = load(connection, &PRICES, &values)?;
    let mut of_sku: HashMap<String, Vec<PriceRow>> = HashMap::new();
    for price in prices {
        of_sku.entry(price.sku.clone()).or_default().push(price);
    }
    let with = |variant: VariantRow| {
        let prices = of_sku.remove(&variant.sku).unwrap_or_default();
        (variant, prices)
    };
    Ok(variants.into_iter().map(with).collect())
}
