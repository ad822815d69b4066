//! After a restore: skips counters ahead, so that nothing that was given away after the backup is
//! given away again.
//!
//! A restored database does not know which order numbers, event sequences, batch numbers and
//! versions were used after the backup. [`Margins`] are bounds of their number. [`RestoreService`]
//! skips each counter by its margin. Ids of orders, shipments and deliveries contain their time and
//! random bits, and need no skip.

mod margins;
mod port;
mod service;

pub use margins::Margins;
pub use port::{
    DatabaseIdentities, Restore, RestoredDatabase, SharedSkip, SkippedRange, StoreSkip,
};
pub use service::{RestoreDraft, RestoreError, RestoreReport, RestoreService, UnskippedRestore};
