//! The port that keeps the catalog.

use async_trait::async_trait;

use crate::catalog::{CatalogVersion, Product};
use crate::ports::RepositoryError;

/// What an import changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportCount {
    /// Products that are new.
    pub added: usize,
    /// Products that were there and have changed.
    pub changed: usize,
    /// Products that were there just so.
    pub unchanged: usize,
}

/// Products of one state of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Products {
    /// The state.
    pub version: CatalogVersion,
    /// Those that it knows of the ones asked for, in any order.
    pub known: Vec<Product>,
}

/// Keeps products by SKU. One call is one transaction.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// The products with these SKUs; unknown ones are left out.
    ///
    /// A product MUST be found as it was imported, its areas in order (`an_imported_product_is_found_as_given`). The
    /// version MUST be that of the state they are read from: an import that changes something changes it with the same
    /// commit, another leaves it (`the_version_changes_with_the_products`).
    async fn products(&self, skus: &[&str]) -> Result<Products, RepositoryError>;

    /// At most `limit` known SKUs that a mistyped one may stand for, nearest first
    /// (`near_skus_are_suggested`).
    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError>;

    /// Adds products, or replaces those whose SKU exists, all or nothing.
    ///
    /// Importing the same products again MUST change nothing and say so (`a_repeated_import_changes_nothing`).
    async fn import(&self, products: &[Product]) -> Result<ImportCount, RepositoryError>;
}
