//! Suggests SKUs. Caches all of them in memory, because a suggestion compares all of them.

use std::sync::{Arc, Mutex};

use diesel::result::Error as DieselError;
use pressline_domain::error::Result;
use pressline_kit::lock;
use pressline_kit::nearest::nearest;

use crate::blocking::blocking;
use crate::cold_store::{Access, ColdStore};

/// Catalog version, and all SKUs in no particular order. The version is read before the SKUs: they
/// may be of a later version, but not of an earlier one.
type SkuList = (i64, Arc<[String]>);

/// Cache of the latest list of all SKUs. The list is used only while it has the catalog's current
/// version, so that imports of other processes take effect immediately.
#[derive(Debug, Default)]
pub struct SkuCache(Mutex<Option<SkuList>>);

impl ColdStore {
    /// Returns up to `limit` SKUs similar to `sku`, most similar first. Reads all SKUs only if the
    /// list in `cache` is not current.
    pub async fn suggest_skus(
        &self,
        cache: &SkuCache,
        sku: &str,
        limit: usize,
    ) -> Result<Vec<String>> {
        // The lock is not held while the database is read.
        let cached = lock(&cache.0).clone();
        let current = self.call(Access::Read, move |db| {
            let version = db
                .first::<i64>("SELECT version FROM catalog_version", &[])?
                .ok_or(DieselError::NotFound)?;
            if let Some(list) = cached.as_ref().filter(|list| list.0 == version) {
                return Ok(list.clone());
            }
            let skus = db.load::<String>("SELECT sku FROM products", &[])?;
            Ok((version, skus.into()))
        });
        let (version, skus) = current.await?;
        *lock(&cache.0) = Some((version, Arc::clone(&skus)));
        let sku = sku.to_owned();
        // Comparing all SKUs takes too long for an async thread.
        blocking(move || {
            let near = nearest(&sku, skus.iter().map(String::as_str), limit);
            Ok(near.into_iter().map(str::to_owned).collect())
        })
        .await
    }
}
