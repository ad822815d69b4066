//! Caches all SKUs in memory, because a suggestion compares all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pressline_domain::error::RepositoryError;
use pressline_kit::nearest::nearest;

use crate::blocking::blocking;

/// All SKUs of a catalog version.
#[derive(Debug, Clone)]
pub struct SkuList {
    /// Catalog version, read before the SKUs: `skus` may be of a later version, but not of an
    /// earlier one.
    pub version: i64,
    /// SKUs, in no particular order.
    pub skus: Arc<[String]>,
}

/// Cache of the latest list of all SKUs. The list is used only while it has the catalog's current
/// version, so that imports of other processes take effect immediately.
#[derive(Debug, Default)]
pub struct SkuCache(Mutex<Option<SkuList>>);

impl SkuCache {
    /// Returns up to `limit` SKUs similar to `sku`, most similar first. `read` receives the cached
    /// list and returns it if it is current, otherwise a new list.
    ///
    /// # Errors
    /// Same errors as `read`.
    pub async fn suggest<F>(
        &self,
        sku: &str,
        limit: usize,
        read: impl FnOnce(Option<SkuList>) -> F,
    ) -> Result<Vec<String>, RepositoryError>
    where
        F: Future<Output = Result<SkuList, RepositoryError>>,
    {
        // The lock is not held while `read` runs.
        let cached = self.lock().clone();
        let SkuList { version, skus } = read(cached).await?;
        let list = Arc::clone(&skus);
        *self.lock() = Some(SkuList { version, skus });
        let sku = sku.to_owned();
        // Comparing all SKUs takes too long for an async thread.
        blocking(move || {
            let near = nearest(&sku, list.iter().map(String::as_str), limit);
            Ok(near.into_iter().map(str::to_owned).collect())
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, Option<SkuList>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SkuList {
    /// Returns `cached` if it has the current `version`, otherwise a new list with the SKUs that
    /// `read` returns.
    ///
    /// # Errors
    /// Same errors as `read`.
    pub fn current<E>(
        cached: Option<&Self>,
        version: i64,
        read: impl FnOnce() -> Result<Vec<String>, E>,
    ) -> Result<Self, E> {
        match cached.filter(|list| list.version == version) {
            Some(list) => Ok(list.clone()),
            None => Ok(Self {
                version,
                skus: read()?.into(),
            }),
        }
    }
}
