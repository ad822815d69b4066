//! What a store may order, put together of the rows that were read.

use pressline_domain::catalog::{
    CatalogVersion, Offer, Offered, Product, ProductCount, ProductMatches,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};

use super::documents::{read_fees, read_shipping};
use crate::{PriceRow, VariantRow};

/// What is read for an offer, all of one state of the catalog.
#[derive(Debug, Clone, Default)]
pub struct OfferRows {
    /// The state.
    pub version: i64,
    /// The variants, each with the prices of the service's list and of the store's.
    pub variants: Vec<(VariantRow, Vec<PriceRow>)>,
    /// The document of the shipping rates.
    pub shipping: Option<String>,
    /// The schedule of fees that holds for the store: whose it is, and the document.
    pub fees: Option<(String, String)>,
    /// Whether the store has prices of its own, of any SKU.
    pub has_own_prices: bool,
}

impl OfferRows {
    /// The offer, for one who has the rates and fees of a state.
    ///
    /// # Errors
    /// [`RepositoryError::Corrupt`] where a column does not hold what it should.
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

/// A page of products, of the variants of its products and of one more where there is one: the
/// variants of a product follow each other, by SKU. `counted` is of all products that match.
///
/// # Errors
/// [`RepositoryError::Corrupt`] where a column of the page does not hold what it should.
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
