//! Product searches of stores.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::check::Report;
use crate::error::RepositoryError;
use crate::runtime::Clock;
use crate::store::Store;
use crate::value::StoreId;
use uuid::Uuid;

use super::counts::ProductCounts;
use super::search::ValidProductSearch;
use super::{Catalog, ProductPage, ProductQuery, ProductSearchDraft};

/// Searches the products that a store can order, with the store's prices.
#[derive(Clone)]
pub struct ProductService {
    catalog: Arc<dyn Catalog>,
    clock: Arc<dyn Clock>,
    counts: Arc<ProductCounts>,
}

/// Reason why a product search failed.
#[derive(Debug, thiserror::Error)]
pub enum ProductError {
    /// The request is invalid, so the catalog was not read. Contains the violations.
    #[error("the request is not valid")]
    Invalid(Report),
    /// The catalog could not be read.
    #[error("the catalog cannot be read")]
    Repository(#[from] RepositoryError),
}

impl From<Report> for ProductError {
    fn from(report: Report) -> Self {
        Self::Invalid(report)
    }
}

impl ProductService {
    /// Returns the names of the variants with `skus`, keyed by SKU. Unknown SKUs are left out.
    ///
    /// # Errors
    /// [`ProductError::Repository`] if the catalog cannot be read.
    #[pressline_kit::boxed]
    pub async fn names(&self, skus: &[&str]) -> Result<BTreeMap<String, String>, ProductError> {
        // Names are the same for all stores, so any store id will do.
        let nobody = StoreId::new(Uuid::nil());
        let offer = self.catalog.offer(nobody, skus, None).await?;
        let variants = offer.offered.iter().map(|offered| &offered.variant);
        let names = variants.map(|variant| (variant.sku.clone(), variant.name.clone()));
        Ok(names.collect())
    }

    /// Creates a service that reads `catalog` and selects prices by the time of `clock`.
    pub fn new(catalog: Arc<dyn Catalog>, clock: Arc<dyn Clock>) -> Self {
        Self {
            catalog,
            clock,
            counts: Arc::default(),
        }
    }

    /// Returns a page of the products that `store` can order, sorted by id, with the current prices
    /// for the store.
    ///
    /// # Errors
    /// [`ProductError::Invalid`] lists all violations of the request;
    /// [`ProductError::Repository`] if the catalog cannot be read.
    #[pressline_kit::boxed]
    pub async fn search(
        &self,
        store: &Store,
        draft: &ProductSearchDraft,
    ) -> Result<ProductPage, ProductError> {
        let ValidProductSearch { key, window } = draft.check(store.id)?;
        let query = ProductQuery {
            counted: self.counts.get(&key),
            key,
            start: window.start.clone(),
            size: window.size,
        };
        let matches = self.catalog.search(store.id, &query).await?;
        self.counts.insert(query.key, matches.counted);
        let last = matches
            .products
            .last()
            .filter(|_| matches.more)
            .map(|product| product.id.clone());
        Ok(ProductPage {
            page: window.page(matches.products, last.as_ref()),
            count: matches.counted.count,
            currency: store.currency,
            at: self.clock.now(),
        })
    }
}
