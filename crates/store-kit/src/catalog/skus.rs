//! The known SKUs, cached in memory, because a suggestion compares all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pressline_domain::error::RepositoryError;
use pressline_kit::nearest::nearest;

use crate::blocking::blocking;

/// All SKUs of a catalog version.
#[derive(Debug, Clone)]
pub struct SkuList {
    /// The version that was read before the SKUs: they are at least as new.
    pub version: i64,
    /// The SKUs, in no order.
    pub skus: Arc<[String]>,
}

/// The latest list of all SKUs. It is used as long as the catalog has the version of the list, so that
/// imports of other processes count immediately.
#[derive(Debug, Default)]
pub struct SkuCache(Mutex<Option<SkuList>>);

impl SkuCache {
    /// Returns up to `limit` SKUs near to `sku`, nearest first. `read` gets the cached list, and
    /// returns it if the catalog still has its version, else a new list.
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
        let cached = self.lock().clone();
        let SkuList { version, skus } = read(cached).await?;
        let list = Arc::clone(&skus);
        *self.lock() = Some(SkuList { version, skus });
        let sku = sku.to_owned();
        // Comparing all SKUs takes a while.
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
    /// Returns `cached` if it has the catalog's `version`, else a list of the SKUs that `read` returns.
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
