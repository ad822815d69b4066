//! The known SKUs, cached in memory for a while, as a suggestion has to look at all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pressline_kit::nearest::nearest;

/// How long the list is good. Another process may have imported since; a suggestion may miss that
/// for so long.
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

/// All SKUs of some moment.
#[derive(Debug, Clone)]
pub struct SkuList(Arc<[String]>);

impl SkuList {
    /// At most `limit` SKUs near to a mistyped one, nearest first. Looks at all of them, which
    /// takes a while.
    #[must_use]
    pub fn near(&self, sku: &str, limit: usize) -> Vec<String> {
        let near = nearest(sku, self.0.iter().map(String::as_str), limit);
        near.into_iter().map(str::to_owned).collect()
    }
}

/// A reading of all SKUs that has begun.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// The age counts from here, so that what is imported meanwhile is not missed for longer.
    since: Instant,
    forgotten: u64,
}

impl KnownSkus {
    /// The list, unless it is old.
    #[must_use]
    pub fn fresh(&self) -> Option<SkuList> {
        let cached = self.lock();
        cached
            .list
            .as_ref()
            .filter(|(since, _)| since.elapsed() < FRESH)
            .map(|(_, list)| list.clone())
    }

    /// Begins to read the SKUs.
    #[must_use]
    pub fn read(&self) -> Reading {
        Reading {
            since: Instant::now(),
            forgotten: self.lock().forgotten,
        }
    }

    /// Keeps what was read.
    #[must_use]
    pub fn keep(&self, reading: Reading, skus: Vec<String>) -> SkuList {
        let list = SkuList(skus.into());
        let mut cached = self.lock();
        if cached.forgotten == reading.forgotten {
            cached.list = Some((reading.since, list.clone()));
        }
        list
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
