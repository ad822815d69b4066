//! The catalog in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::lock;
use crate::catalog::{CatalogVersion, Product};
use crate::nearest::nearest;
use crate::ports::{Catalog, ImportCount, Products, RepositoryError};

/// Keeps products in memory. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct MemoryCatalog {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    version: CatalogVersion,
    products: BTreeMap<String, Product>,
}

impl MemoryCatalog {
    /// A catalog without products.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The state of the catalog.
    pub(super) fn version(&self) -> CatalogVersion {
        lock(&self.kept).version
    }
}

#[async_trait]
impl Catalog for MemoryCatalog {
    async fn products(&self, skus: &[&str]) -> Result<Products, RepositoryError> {
        let kept = lock(&self.kept);
        let known = skus.iter().filter_map(|sku| kept.products.get(*sku).cloned()).collect();
        Ok(Products { version: kept.version, known })
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError> {
        let kept = lock(&self.kept);
        let near = nearest(sku, kept.products.keys().map(String::as_str), limit);
        Ok(near.into_iter().map(str::to_owned).collect())
    }

    async fn import(&self, products: &[Product]) -> Result<ImportCount, RepositoryError> {
        let mut kept = lock(&self.kept);
        let mut count = ImportCount::default();
        for product in products {
            match kept.products.insert(product.sku.clone(), product.clone()) {
                None => count.added += 1,
                Some(before) if before == *product => count.unchanged += 1,
                Some(_) => count.changed += 1,
            }
        }
        if count.added + count.changed > 0 {
            kept.version.0 += 1;
        }
        Ok(count)
    }
}
