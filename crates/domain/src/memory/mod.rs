//! Storage ports in memory, sufficient for tests and examples. They are the reference
//! implementation of the contract, the test suite for adapters.
//!
//! All data is lost at the end of the process, and every search reads every order of its store.

mod catalog;
mod feed;
mod order;
mod store;

pub use catalog::MemoryCatalog;
pub use order::{LastOfStore, MemoryOrders};
pub use store::{MemoryStores, SealedKeys};

/// Returns `count` as `usize`; the highest `usize` if `count` does not fit.
pub fn at_most(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
