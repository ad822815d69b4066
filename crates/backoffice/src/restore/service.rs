//! Use cases: skips the counters of a restored database, and notices that it was not done.

use std::sync::Arc;

use super::port::{Restore, RestoredDatabase, SharedSkip, StoreSkip};
use super::{DatabaseIdentities, Margins};
use crate::audit::{AuditAction, AuditEntry, AuditLog, AuditRecorder, audited};
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::Clock;
use pressline_domain::store::StoreDirectory;
use pressline_domain::value::{Prefix, Timestamp};
use pressline_kit::boxed;

/// Time after which a repeated command is about another restore, in milliseconds.
const REPEATED_MS: i64 = 60 * 60 * 1000;
/// Maximum accepted difference of clocks, in milliseconds.
const CLOCK_MS: i64 = 5 * 60 * 1000;
/// Number of audit entries among which the newest record is searched.
const AUDIT_ENTRIES: u32 = 100;

/// Request to skip counters after a restore.
#[derive(Debug, Clone, Copy, Default)]
pub struct RestoreDraft {
    /// Time from which on records may be lost: the time of the backup. `None` takes the time of the
    /// newest record, which is the same or earlier unless the database was used since the restore.
    pub since: Option<Timestamp>,
    /// Number of order numbers to skip; `None` computes the margins from the time.
    pub skip: Option<u32>,
    /// Rate limit of a store on one server, in calls per minute; `None` if there is no limit.
    pub calls_per_minute: Option<u32>,
    /// `true` skips again, also if the counters were already skipped for this restore.
    pub again: bool,
}

/// Result of skipping the counters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreReport {
    /// The restore, with the margins of the skipped counters.
    pub restore: Restore,
    /// `true` if an earlier call has already skipped the counters, for the same restore.
    pub is_repeated: bool,
    /// Skipped counters of each store, oldest store first.
    pub stores: Vec<(Prefix, StoreSkip)>,
    /// Skipped counters of the whole service.
    pub shared: SharedSkip,
}

/// Reason to skip counters before a server takes orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnskippedRestore {
    /// The identities differ: the database was restored, or a replica was promoted, and the
    /// counters have not been skipped since.
    Noticed(DatabaseIdentities),
    /// Skipping has failed before all counters were skipped.
    Unfinished,
}

/// Reason why counters were not skipped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The newest record, or the given time, is in the future.
    #[error(
        "the {what} is of {at}, but the clock of this machine says {now}; correct the clock, or give the time of the \
         backup with --since"
    )]
    Future {
        /// Subject of the message: `newest record` or `time of the backup`.
        what: &'static str,
        /// Time in the future.
        at: Timestamp,
        /// Time of the clock.
        now: Timestamp,
    },
    /// A query failed, or a counter has no room for the margin.
    #[error("the counters cannot be skipped")]
    Repository(#[from] RepositoryError),
}

/// Skips the counters of a restored database ahead.
#[derive(Clone)]
pub struct RestoreService {
    database: Arc<dyn RestoredDatabase>,
    stores: Arc<dyn StoreDirectory>,
    log: Arc<dyn AuditLog>,
    clock: Arc<dyn Clock>,
    recorder: AuditRecorder,
}

audited!(RestoreService);

impl RestoreService {
    /// Creates the service over `database`. `stores` and `log` are of the same database.
    pub fn new(
        database: Arc<dyn RestoredDatabase>,
        stores: Arc<dyn StoreDirectory>,
        log: Arc<dyn AuditLog>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            database,
            stores,
            log,
            clock,
            recorder: AuditRecorder::default(),
        }
    }

    /// Skips all counters for the restore of `draft`. No server may run meanwhile.
    ///
    /// A repeated call, also one after a failure, skips each counter once. It is about the same
    /// restore if no server has started since, and not more than an hour has passed.
    ///
    /// # Errors
    /// [`RestoreError::Future`] if the clock is behind the newest record; also if a query fails.
    #[boxed]
    pub async fn after_restore(&self, draft: &RestoreDraft) -> Result<RestoreReport, RestoreError> {
        let opened = match draft.again {
            true => None,
            false => self.repeated().await?,
        };
        let restore = match opened {
            Some(restore) => restore,
            None => self.open(draft).await?,
        };
        let mut stores = Vec::new();
        for record in self.stores.list().await? {
            let skip = self.database.skip_store(&restore, record.store.id).await?;
            stores.push((record.store.prefix, skip));
        }
        Ok(RestoreReport {
            restore,
            is_repeated: opened.is_some(),
            stores,
            shared: self.database.skip_shared(&restore).await?,
        })
    }

    /// Notes that a server starts: the next call of [`after_restore`](Self::after_restore) is about
    /// another restore. Records the identity of a new database.
    ///
    /// Returns a reason to call it before orders are taken; `None` if there is none, or if the
    /// database does not tell. A restore stays open if some counters are not skipped yet.
    #[boxed]
    pub async fn server_starts(&self) -> Result<Option<UnskippedRestore>, RepositoryError> {
        if let Some(opened) = self.database.opened().await? {
            if !self.database.is_finished(&opened).await? {
                return Ok(Some(UnskippedRestore::Unfinished));
            }
            self.database.close().await?;
        }
        let identities = self.database.identities().await?;
        match (&identities.present, &identities.recorded) {
            (Some(present), None) => self.database.record_identity(present).await?,
            (Some(present), Some(recorded)) if present != recorded => {
                return Ok(Some(UnskippedRestore::Noticed(identities)));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Returns the open restore, unless the database was restored again since.
    async fn repeated(&self) -> Result<Option<Restore>, RepositoryError> {
        let Some(opened) = self.database.opened().await? else {
            return Ok(None);
        };
        let identities = self.database.identities().await?;
        // A call that failed must be completed, however late.
        let is_present = opened.at.plus_millis(REPEATED_MS) > self.clock.now()
            || !self.database.is_finished(&opened).await?;
        let is_same = identities.present == identities.recorded;
        Ok(Some(opened).filter(|_| is_present && is_same))
    }

    async fn open(&self, draft: &RestoreDraft) -> Result<Restore, RestoreError> {
        let now = self.clock.now();
        let margins = match draft.skip {
            Some(count) => Margins::of_count(count),
            None => {
                let seconds = self.seconds_since(draft.since, now).await?;
                Margins::for_seconds(seconds, draft.calls_per_minute)
            }
        };
        let restore = Restore { at: now, margins };
        let subject = format!(
            "skipped: {} order numbers, {} event sequences",
            margins.numbers, margins.sequences
        );
        let action = AuditAction::DatabaseRestored;
        // Before the restore is open: a repeated call does not record it.
        self.recorder.record(action, subject).await?;
        self.database.open(&restore).await?;
        Ok(restore)
    }

    /// Returns the time in which records may be lost, in seconds.
    async fn seconds_since(
        &self,
        since: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<u64, RestoreError> {
        let (what, at) = match since {
            Some(since) => ("time of the backup", since),
            None => ("newest record", self.newest_record().await?.unwrap_or(now)),
        };
        if at > now.plus_millis(CLOCK_MS) {
            return Err(RestoreError::Future { what, at, now });
        }
        let millis = now.as_millis().saturating_sub(at.as_millis()).max(0);
        Ok(u64::try_from(millis).unwrap_or(0).div_ceil(1000))
    }

    /// Returns the time of the newest event, store or audit entry; `None` without any.
    async fn newest_record(&self) -> Result<Option<Timestamp>, RepositoryError> {
        let entries = self.log.entries(None, AUDIT_ENTRIES).await?;
        // The entries of this command are newer than the lost records.
        let is_other = |entry: &&AuditEntry| entry.action != AuditAction::DatabaseRestored;
        let mut newest = entries.iter().find(is_other).map(|entry| entry.at);
        for record in self.stores.list().await? {
            let event = self.database.newest_event(record.store.id).await?;
            newest = newest.max(event).max(Some(record.store.created_at));
        }
        Ok(newest)
    }
}
