//! Builds a store's offer from stored rows.

use pressline_domain::catalog::{
    CatalogVersion, Offer, Offered, Product, ProductCount, ProductMatches,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};

use super::tables::{read_fees, read_shipping};
use crate::{PriceRow, VariantRow};

/// Rows of an [`Offer`], the data for pricing an order, read from a single catalog version.
#[derive(Debug, Clone, Default)]
pub struct OfferRows {
    /// Version of the catalog when the rows were read.
    pub version: i64,
    /// Variants, each with its prices in the price lists of the service and of the ordering store.
    pub variants: Vec<(VariantRow, Vec<PriceRow>)>,
    /// JSON document of the shipping rates. `None` if no rates are stored, or if the caller already
    /// has the rates of `version`.
    pub shipping: Option<String>,
    /// Fee schedule that applies to the store: the id of the store that owns the schedule, and the
    /// schedule's JSON document. The id is empty for the service's schedule. `None` if no schedule
    /// is stored, or if the caller already has the schedule of `version`.
    pub fees: Option<(String, String)>,
    /// `true` if the store's own price list contains any price.
    pub has_own_prices: bool,
}

impl OfferRows {
    /// Builds the offer. `have` is the catalog version that the caller already has. If it equals
    /// `self.version`, the offer contains no shipping rates and fees.
    pub fn restore(self, have: Option<CatalogVersion>) -> Result<Offer, RepositoryError> {
        let version = CatalogVersion(self.version);
        let tariff = match have {
            Some(have) if have == version => None,
            _ => Some(Tariff {
                shipping: match self.shipping {
                    Some(document) => read_shipping(&document)?,
                    None => ShippingRates::default(),
                },
                fees: match self.fees {
                    Some((store_id, document)) => read_fees(&store_id, &document)?.1,
                    None => FeeSchedule::default(),
                },
            }),
        };
        let offered = self
            .variants
            .into_iter()
            .map(offered)
            .collect::<Result<_, _>>()?;
        Ok(Offer {
            version,
            offered,
            tariff,
            has_own_prices: self.has_own_prices,
        })
    }
}

fn offered((variant, prices): (VariantRow, Vec<PriceRow>)) -> Result<Offered, RepositoryError> {
    let prices = prices
        .into_iter()
        .map(PriceRow::restore)
        .collect::<Result<_, _>>()?;
    Ok(Offered {
        variant: variant.restore()?.into(),
        prices,
    })
}

/// Groups `variants` into a page of up to `size` products. `variants` are grouped by product and
/// sorted by SKU; they may include variants of the first product after the page. `counted` is the
/// number of all matching products.
///
/// # Errors
/// [`RepositoryError::Corrupt`] if a column of a row on the page has an invalid value.
pub fn found_products(
    variants: Vec<(VariantRow, Vec<PriceRow>)>,
    size: u32,
    counted: ProductCount,
) -> Result<ProductMatches, RepositoryError> {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let mut products: Vec<Product> = Vec::new();
    for row in variants {
        let continued = products
            .last()
            .is_some_and(|last| last.id == row.0.product_id());
        // The first row of another product shows that there is a next page.
        if !continued && products.len() == size {
            return Ok(ProductMatches {
                products,
                more: true,
                counted,
            });
        }
        let offered = offered(row)?;
        match products.last_mut().filter(|_| continued) {
            Some(product) => product.variants.push(offered),
            None => products.push(Product::new(offered)),
        }
    }
    Ok(ProductMatches {
        products,
        more: false,
        counted,
    })
}
