//! The known SKUs, cached in memory for a while, because a suggestion compares all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_kit::nearest::nearest;

use crate::blocking::blocking;

/// How long the list is used. A suggestion may miss for so long what another process has imported.
const FRESH: Duration = Duration::from_secs(30);

/// A list of all SKUs, read again when it is old or an import came in between.
#[derive(Debug, Default)]
pub struct KnownSkus {
    cached: Mutex<Cached>,
}

#[derive(Debug, Default)]
struct Cached {
    list: Option<(Instant, SkuList)>,
    /// How often the list was forgotten: a list that was read before is not cached.
    forgotten: u64,
}

type SkuList = Arc<[String]>;

impl KnownSkus {
    /// At most `limit` SKUs near to a mistyped one, nearest first. `read` reads all SKUs; it is used
    /// only where the list is old.
    ///
    /// # Errors
    /// As `read`.
    pub async fn suggest(
        &self,
        sku: &str,
        limit: usize,
        read: impl Future<Output = Result<Vec<String>, RepositoryError>>,
    ) -> Result<Vec<String>, RepositoryError> {
        let list = match self.fresh() {
            Some(list) => list,
            None => self.cached(read).await?,
        };
        let sku = sku.to_owned();
        // Comparing all SKUs takes a while.
        blocking(move || {
            let near = nearest(&sku, list.iter().map(String::as_str), limit);
            Ok(near.into_iter().map(str::to_owned).collect())
        })
        .await
    }

    fn fresh(&self) -> Option<SkuList> {
        let cached = self.lock();
        cached
            .list
            .as_ref()
            .filter(|(since, _)| since.elapsed() < FRESH)
            .map(|(_, list)| Arc::clone(list))
    }

    /// Reads the list, and keeps it unless an import has changed the SKUs meanwhile.
    async fn cached(
        &self,
        read: impl Future<Output = Result<Vec<String>, RepositoryError>>,
    ) -> Result<SkuList, RepositoryError> {
        // The age counts from here: an import during the reading is not missed for longer.
        let (since, forgotten) = (Instant::now(), self.lock().forgotten);
        let list: SkuList = read.await?.into();
        let mut cached = self.lock();
        if cached.forgotten == forgotten {
            cached.list = Some((since, Arc::clone(&list)));
        }
        Ok(list)
    }

    /// Forgets the list, as the SKUs have changed.
    pub fn forget(&self) {
        let mut cached = self.lock();
        cached.list = None;
        cached.forgotten += 1;
    }

    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
