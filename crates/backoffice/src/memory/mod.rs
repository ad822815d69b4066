//! In-memory adapters of the back office ports: the reference for other adapters, also used in
//! tests. Data is lost when the process ends.

mod audit;
mod form;
mod note;
mod operator;
mod overview;
mod production;
mod restore;
mod task;
mod webhook;

use std::collections::BTreeMap;
use std::sync::Mutex;

use pressline_domain::memory::at_most;
use pressline_kit::lock;

pub use audit::MemoryAudit;
pub use form::{MemoryForms, MemoryUploads};
pub use note::MemoryNotes;
pub use operator::MemoryOperators;
pub use overview::MemoryOverview;
pub use production::MemoryProduction;
pub use restore::MemoryRestores;
pub use task::MemoryTasks;
pub use webhook::MemoryWebhooks;

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
