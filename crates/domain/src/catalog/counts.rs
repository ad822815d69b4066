//! A cache of the number of matches of recent product searches, so that another page of a search
//! does not count the matches again.

use std::collections::HashMap;
use std::sync::Mutex;

use super::{CatalogVersion, ProductCount};
use pressline_kit::lock;
use pressline_kit::words::SearchKey;

/// Maximum per generation. Search keys are bounded, so the cache takes a few megabytes at most.
const GENERATION: usize = 2_000;

/// Numbers of matching products. The key `None` is the search for all products.
type Generation = HashMap<Option<SearchKey>, u64>;

#[derive(Debug, Default)]
pub(super) struct ProductCounts(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    version: CatalogVersion,
    newer: Generation,
    older: Generation,
}

impl ProductCounts {
    pub(super) fn get(&self, key: &Option<SearchKey>) -> Option<ProductCount> {
        let counts = lock(&self.0);
        let count = counts.newer.get(key).or_else(|| counts.older.get(key))?;
        Some(ProductCount {
            version: counts.version,
            count: *count,
        })
    }

    /// Does nothing if the cache has counts of a later catalog version than `count`.
    pub(super) fn insert(&self, key: Option<SearchKey>, count: ProductCount) {
        let mut counts = lock(&self.0);
        if count.version < counts.version {
            return;
        }
        // Counts of an earlier version may be outdated, so all of them are dropped.
        if count.version > counts.version {
            *counts = Counts {
                version: count.version,
                ..Counts::default()
            };
        }
        if counts.newer.len() >= GENERATION {
            counts.older = std::mem::take(&mut counts.newer);
        }
        counts.newer.insert(key, count.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(version: i64, count: u64) -> ProductCount {
        ProductCount {
            version: CatalogVersion(version),
            count,
        }
    }

    #[test]
    fn counts_of_two_versions_are_never_mixed() {
        let counts = ProductCounts::default();
        let mug = SearchKey::parse("mug").unwrap();
        counts.insert(None, count(1, 5));
        counts.insert(mug.clone(), count(1, 2));
        assert_eq!(counts.get(&None), Some(count(1, 5)));
        counts.insert(mug.clone(), count(2, 3));
        assert_eq!(
            (counts.get(&None), counts.get(&mug)),
            (None, Some(count(2, 3)))
        );
        // A slow caller inserts the result of an earlier read.
        counts.insert(None, count(1, 5));
        assert_eq!(counts.get(&None), None);
    }

    #[test]
    fn what_is_asked_for_stays_and_the_cache_stays_small() {
        let counts = ProductCounts::default();
        for number in 0..3 * GENERATION {
            let key = SearchKey::parse(&format!("word{number}")).unwrap();
            counts.insert(key, count(1, 1));
            // A search inserts its result in the same way.
            counts.insert(None, count(1, 5));
        }
        assert_eq!(counts.get(&None), Some(count(1, 5)));
        let first = SearchKey::parse("word0").unwrap();
        assert_eq!(counts.get(&first), None);
        let counts = lock(&counts.0);
        assert!(counts.newer.len() + counts.older.len() <= 2 * GENERATION);
    }
}
