//! The ports of the back office kept in memory: the reference that says what the contract means, and all that tests
//! need. Nothing outlives the process.

mod audit;
mod form;
mod note;
mod operator;
mod overview;
mod production;
mod queue;
mod session;
mod task;
mod upload;
mod webhook;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use audit::MemoryAudit;
pub use form::MemoryForms;
pub use note::MemoryNotes;
pub use operator::MemoryOperators;
pub use overview::MemoryOverview;
pub use production::MemoryProduction;
pub use task::MemoryTasks;
pub use upload::MemoryUploads;
pub use webhook::MemoryWebhooks;

/// Locks. A thread that panicked while it held the lock had not begun to change anything: every
/// change below is made only after all that can fail.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn at_most(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Removes up to `limit` old entries, and returns how many.
fn prune<K: Ord, V>(
    entries: &Mutex<BTreeMap<K, V>>,
    limit: u32,
    is_old: impl Fn(&V) -> bool,
) -> u64 {
    let mut removed = 0;
    lock(entries).retain(|_, entry| {
        let is_removed = removed < limit && is_old(entry);
        removed += u32::from(is_removed);
        !is_removed
    });
    u64::from(removed)
}
