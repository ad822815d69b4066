//! The catalog in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::lock;
use crate::catalog::Product;
use crate::nearest::nearest;
use crate::ports::{Catalog, ImportCount, RepositoryError};

/// Keeps products in memory. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct MemoryCatalog {
    products: Arc<Mutex<BTreeMap<String, Product>>>,
}

impl MemoryCatalog {
    /// A catalog without products.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl Catalog for MemoryCatalog {
    async fn products(&self, skus: &[&str]) -> Result<Vec<Product>, RepositoryError> {
        let products = lock(&self.products);
        Ok(skus.iter().filter_map(|sku| products.get(*sku).cloned()).collect())
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError> {
        let products = lock(&self.products);
        let near = nearest(sku, products.keys().map(String::as_str), limit);
        Ok(near.into_iter().map(str::to_owned).collect())
    }

    async fn import(&self, products: &[Product]) -> Result<ImportCount, RepositoryError> {
        let mut kept = lock(&self.products);
        let mut count = ImportCount::default();
        for product in products {
            match kept.insert(product.sku.clone(), product.clone()) {
                None => count.added += 1,
                Some(before) if before == *product => count.unchanged += 1,
                Some(_) => count.changed += 1,
            }
        }
        Ok(count)
    }
}
