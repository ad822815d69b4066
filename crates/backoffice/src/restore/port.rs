//! The port that skips the counters of a restored database.

use async_trait::async_trait;

use super::Margins;
use pressline_domain::error::Result;
use pressline_domain::value::{StoreId, Timestamp};

/// A restore of the database, for which each counter is skipped once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restore {
    /// Time at which skipping began; it identifies the restore.
    pub at: Timestamp,
    /// Numbers by which the counters are skipped.
    pub margins: Margins,
}

/// Range of skipped values of a counter: those after `after`, up to and including `last`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedRange {
    /// Last value before the skip.
    pub after: u64,
    /// Last skipped value; the next use of the counter gets the value after it.
    pub last: u64,
}

/// Skipped counters of a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoreSkip {
    /// Skipped order numbers.
    pub numbers: SkippedRange,
    /// Skipped event sequences.
    pub sequences: SkippedRange,
}

/// Skipped counters of the whole service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SharedSkip {
    /// Skipped batch numbers.
    pub batches: SkippedRange,
}

/// Present and recorded identity of the database. They differ after a restore, after the promotion
/// of a replica, or if the database was copied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseIdentities {
    /// Identity of the database; `None` if the database software does not tell.
    pub present: Option<String>,
    /// Identity that was recorded last; `None` if none was recorded.
    pub recorded: Option<String>,
}

/// Skips the counters of a restored database ahead.
///
/// A restore is *open* from [`open`](Self::open) until [`close`](Self::close), which a server calls
/// when it starts. Its counters are skipped once, however often the calls are repeated.
#[async_trait]
pub trait RestoredDatabase: Send + Sync {
    /// Returns the time of the newest event of `store`; `None` if it has no event
    /// (`the_time_of_the_newest_event_is_read`).
    async fn newest_event(&self, store: StoreId) -> Result<Option<Timestamp>>;

    /// Returns the open restore (`a_restore_is_open_until_it_is_closed`); `None` if there is none.
    async fn opened(&self) -> Result<Option<Restore>>;

    /// Opens `restore` in place of any other restore, and records the present identity.
    async fn open(&self, restore: &Restore) -> Result<()>;

    /// Skips the counters of `store` for `restore`, and returns the skipped ranges.
    ///
    /// - Later orders and events MUST get the numbers and sequences behind the skipped ranges
    ///   (`a_restored_store_goes_on_behind_the_skipped_counters`).
    /// - A repeated call for the same restore MUST skip nothing and return the first ranges, also
    ///   after later orders; a call for another restore MUST skip again
    ///   (`counters_are_skipped_once_for_a_restore`).
    /// - Every order of the store MUST have a version that is higher by the margin, so that changes
    ///   based on earlier reads are refused; its events and earlier versions MUST stay readable
    ///   (`an_order_gets_a_new_version_after_a_restore`).
    /// - Leases of the store's webhook subscriptions MUST end. A subscription MUST still have the
    ///   pending events that it had (`webhook_subscriptions_go_on_after_a_restore`).
    async fn skip_store(&self, restore: &Restore, store: StoreId) -> Result<StoreSkip>;

    /// Skips the counters that belong to no store for `restore`, and returns the skipped ranges.
    ///
    /// - Later batches MUST get the numbers behind the skipped range, and a repeated call for the
    ///   same restore MUST skip nothing (`batch_numbers_are_skipped_once_for_a_restore`).
    /// - All sessions and sign-in links MUST end, because some had ended before the restore
    ///   (`sessions_end_with_a_restore`).
    ///
    /// Leases of tasks end, too. The versions of stores, webhook endpoints and the catalog become
    /// higher by the margin.
    async fn skip_shared(&self, restore: &Restore) -> Result<SharedSkip>;

    /// Returns whether the counters that belong to no store were skipped for `restore`. They are
    /// skipped last (`a_restore_is_finished_with_the_shared_counters`).
    async fn is_finished(&self, restore: &Restore) -> Result<bool>;

    /// Closes the open restore, if there is one.
    async fn close(&self) -> Result<()>;

    /// Returns the present and the recorded identity of the database.
    async fn identities(&self) -> Result<DatabaseIdentities>;

    /// Records `identity` as the identity of the database (`an_identity_is_recorded`).
    async fn record_identity(&self, identity: &str) -> Result<()>;
}
