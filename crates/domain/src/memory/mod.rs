//! Storage ports in memory, sufficient for tests and examples. They are the reference
//! implementation of the contract, the test suite for adapters.
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
/// all methods in this module complete everything that can fail before their first change.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `count` as `usize`; the highest `usize` if `count` does not fit.
pub fn at_most(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
