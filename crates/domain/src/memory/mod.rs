//! The ports in memory: the reference implementation of the contract, sufficient for tests and
//! examples.
//!
//! All data is lost at the end of the process, and every search reads every order of its store.

mod catalog;
mod feed;
mod order;
mod store;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use catalog::MemoryCatalog;
pub use order::MemoryOrders;
pub use store::{MemoryStores, SealedKeys};

/// Locks `mutex`, even if a thread panicked while it held the lock. The data is valid then, because
/// all methods below complete everything that can fail before their first change.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `count` as `usize`; the highest `usize` if `count` does not fit.
pub fn at_most(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
