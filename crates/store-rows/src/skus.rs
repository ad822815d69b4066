//! The known SKUs, kept in memory for a while, as a suggestion has to look at all of them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pressline_domain::nearest::nearest;

/// How long the list is good. Another process may have imported since; a suggestion may miss that for so long.
const FRESH: Duration = Duration::from_secs(30);

/// A list of all SKUs, read again when it is old or an import came in between.
#[derive(Debug, Default)]
pub struct KnownSkus {
    list: Mutex<Option<(Instant, Arc<[String]>)>>,
}

impl KnownSkus {
    /// At most `limit` SKUs near to a mistyped one, nearest first; `load` reads all SKUs where the list is old.
    ///
    /// # Errors
    /// What `load` says.
    pub fn suggest<E>(
        &self,
        sku: &str,
        limit: usize,
        load: impl FnOnce() -> Result<Vec<String>, E>,
    ) -> Result<Vec<String>, E> {
        let list = match self.fresh() {
            Some(list) => list,
            None => {
                // The age counts from before the read, so that what is imported meanwhile is not missed for longer.
                let read_at = Instant::now();
                let list: Arc<[String]> = load()?.into();
                *self.lock() = Some((read_at, Arc::clone(&list)));
                list
            }
        };
        let near = nearest(sku, list.iter().map(String::as_str), limit);
        Ok(near.into_iter().map(str::to_owned).collect())
    }

    /// Forgets the list, as the SKUs have changed.
    pub fn forget(&self) {
        *self.lock() = None;
    }

    fn fresh(&self) -> Option<Arc<[String]>> {
        let list = self.lock();
        list.as_ref().filter(|(read_at, _)| read_at.elapsed() < FRESH).map(|(_, list)| Arc::clone(list))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<(Instant, Arc<[String]>)>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
