//! The port that keeps the catalog.

use async_trait::async_trait;

use crate::catalog::Product;
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

/// Keeps products by SKU. One call is one transaction.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// The products with these SKUs, in any order; unknown ones are left out.
    ///
    /// A product MUST be found as it was imported, its areas in order (`an_imported_product_is_found_as_given`).
    async fn products(&self, skus: &[&str]) -> Result<Vec<Product>, RepositoryError>;

    /// At most `limit` known SKUs that a mistyped one may stand for, nearest first
    /// (`near_skus_are_suggested`).
    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError>;

    /// Adds products, or replaces those whose SKU exists, all or nothing.
    ///
    /// Importing the same products again MUST change nothing and say so (`a_repeated_import_changes_nothing`).
    async fn import(&self, products: &[Product]) -> Result<ImportCount, RepositoryError>;
}
