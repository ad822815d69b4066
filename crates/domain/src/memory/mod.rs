//! The ports kept in memory: the reference that says what the contract means, and all that tests
//! and examples need.
//!
//! Nothing outlives the process, and every search looks at every order of its store.

mod catalog;
mod feed;
mod order;
mod store;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use catalog::MemoryCatalog;
pub use order::MemoryOrders;
pub use store::{MemoryStores, SealedKeys};

/// Locks. A thread that panicked while it held the lock had not begun to change anything: every
/// change below is made only after all that can fail.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `count` as the length of a list.
pub fn at_most(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
