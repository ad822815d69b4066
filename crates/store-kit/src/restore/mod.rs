//! Statements that skip the counters of a restored database.

use async_trait::async_trait;
use pressline_backoffice::production::BatchNumber;
use pressline_backoffice::restore::{
    DatabaseIdentities, Margins, Restore, RestoredDatabase, SharedSkip, SkippedRange, StoreSkip,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::{StoreId, Timestamp};

use crate::cold_store::{Access, ColdStore, Db};
use crate::corrupt::StoredRow;
use crate::dialect::{Text, Texts};
use crate::failure::Failure;

/// Time, numbers, sequences, versions and batches of `latest_restore`.
type RestoreRow = (i64, i64, i64, i64, i64);

fn range(after: i64, last: i64) -> SkippedRange {
    // The tables permit no negative counters.
    let [after, last] = [after, last].map(|value| u64::try_from(value).unwrap_or_default());
    SkippedRange { after, last }
}

fn opened((at, numbers, sequences, versions, batches): RestoreRow) -> Result<Restore> {
    let stored = StoredRow("latest_restore", &["1"]);
    Ok(Restore {
        at: Timestamp::from_millis(at),
        margins: Margins {
            numbers: stored.read("numbers", u64::try_from(numbers))?,
            sequences: stored.read("sequences", u64::try_from(sequences))?,
            versions: stored.read("versions", u32::try_from(versions))?,
            batches: stored.read("batches", u64::try_from(batches))?,
        },
    })
}

/// Returns the skipped ranges for `restore`; `None` before the skip.
fn skipped(
    db: &mut Db<'_>,
    restore: &Restore,
    store: StoreId,
) -> Result<Option<StoreSkip>, Failure> {
    let row = db.first::<(i64, i64, i64, i64)>(
        "SELECT after_number, last_number, after_sequence, last_sequence
         FROM skipped_counters
         WHERE store_id = :store_id
           AND restored_at = :restored_at",
        &[
            ("store_id", store.into()),
            ("restored_at", restore.at.into()),
        ],
    )?;
    Ok(row.map(
        |(after_number, last_number, after_sequence, last_sequence)| StoreSkip {
            numbers: range(after_number, last_number),
            sequences: range(after_sequence, last_sequence),
        },
    ))
}

const ADVANCE_NUMBER: &str = "UPDATE store_counters
     SET last_number = last_number + :by
     WHERE store_id = :store_id
     RETURNING last_number";

const ADVANCE_SEQUENCE: Texts = Texts {
    postgres: "UPDATE event_counters
         SET last_sequence = last_sequence + :by
         WHERE store_id = :store_id
         RETURNING last_sequence",
    sqlite: "UPDATE store_counters
         SET last_sequence = last_sequence + :by
         WHERE store_id = :store_id
         RETURNING last_sequence",
};

/// Advances a counter of `store` by the statement `text`. Returns its new value; 0 if the store has
/// no counter.
fn advance(db: &mut Db<'_>, text: impl Text, store: StoreId, by: u64) -> Result<i64, Failure> {
    let values = [("by", by.into()), ("store_id", store.into())];
    Ok(db.first::<i64>(text, &values)?.unwrap_or_default())
}

/// Skips the counters of `store`. Locks rows in the order of transactions that write orders.
fn skip(db: &mut Db<'_>, restore: &Restore, store: StoreId) -> Result<StoreSkip, Failure> {
    let margins = restore.margins;
    let last_number = advance(db, ADVANCE_NUMBER, store, margins.numbers)?;
    db.execute(
        "UPDATE order_states SET version = version + :by WHERE store_id = :store_id",
        &[("by", margins.versions.into()), ("store_id", store.into())],
    )?;
    let last_sequence = advance(db, ADVANCE_SEQUENCE, store, margins.sequences)?;
    let before = |last: i64, by: u64| last.saturating_sub_unsigned(by).max(0);
    let after_number = before(last_number, margins.numbers);
    let after_sequence = before(last_sequence, margins.sequences);
    db.execute(
        "INSERT INTO skipped_counters
             (store_id, restored_at, after_number, last_number, after_sequence, last_sequence)
         VALUES
             (:store_id, :restored_at, :after_number, :last_number, :after_sequence, :last_sequence)",
        &[
            ("store_id", store.into()),
            ("restored_at", restore.at.into()),
            ("after_number", after_number.into()),
            ("last_number", last_number.into()),
            ("after_sequence", after_sequence.into()),
            ("last_sequence", last_sequence.into()),
        ],
    )?;
    // A new lease number, so that a server from before the restore cannot store its results. Nothing
    // is pending for a cursor at the end.
    db.execute(
        "UPDATE webhook_subscriptions
         SET lease = lease + 1,
             leased_until = NULL,
             restarts = 0,
             cursor = CASE WHEN cursor = :after_sequence THEN :last_sequence ELSE cursor END
         WHERE store_id = :store_id",
        &[
            ("store_id", store.into()),
            ("after_sequence", after_sequence.into()),
            ("last_sequence", last_sequence.into()),
        ],
    )?;
    Ok(StoreSkip {
        numbers: range(after_number, last_number),
        sequences: range(after_sequence, last_sequence),
    })
}

/// Returns the skipped batch numbers for the latest restore; `None` before the skip.
fn skipped_batches(db: &mut Db<'_>) -> Result<Option<SkippedRange>, Failure> {
    let row = db
        .first::<(Option<i64>, Option<i64>)>(
            "SELECT after_batch, last_batch FROM latest_restore WHERE id = 1",
            &[],
        )?
        .and_then(|(after, last)| after.zip(last));
    Ok(row.map(|(after, last)| range(after, last)))
}

fn skip_batches(db: &mut Db<'_>, by: u64) -> Result<SkippedRange, Failure> {
    let last = db.first::<i64>(
        "UPDATE batch_counter SET last_number = last_number + :by WHERE id = 1 RETURNING last_number",
        &[("by", by.into())],
    )?.unwrap_or_default();
    if last > i64::from(BatchNumber::MAX) {
        let message = "the numbers of batches are used up; skip fewer with --again and --skip";
        return Err(RepositoryError::Refused(message.into()).into());
    }
    let skipped = range(last.saturating_sub_unsigned(by).max(0), last);
    db.execute(
        "UPDATE latest_restore SET after_batch = :after, last_batch = :last WHERE id = 1",
        &[
            ("after", skipped.after.into()),
            ("last", skipped.last.into()),
        ],
    )?;
    Ok(skipped)
}

/// Statements with the parameter `:by`, the margin of versions.
const VERSIONS: [&str; 3] = [
    "UPDATE stores SET version = version + :by",
    "UPDATE webhook_endpoints SET version = version + :by",
    "UPDATE catalog_version SET version = version + :by",
];

/// Ends what may have ended between the backup and the restore.
const ENDS: [&str; 3] = [
    "DELETE FROM operator_sessions",
    "DELETE FROM sign_in_links",
    "UPDATE tasks SET lease_owner = NULL, leased_until = NULL WHERE lease_owner IS NOT NULL",
];

#[async_trait]
impl RestoredDatabase for ColdStore {
    #[tracing::instrument(name = "db.restore.newest_event", level = "debug", skip_all)]
    async fn newest_event(&self, store: StoreId) -> Result<Option<Timestamp>> {
        let rows = self.load::<i64>(
            "SELECT happened_at
             FROM order_events
             WHERE store_id = :store_id
             ORDER BY sequence DESC
             LIMIT 1",
            vec![("store_id", store.into())],
        );
        Ok(rows.await?.pop().map(Timestamp::from_millis))
    }

    #[tracing::instrument(name = "db.restore.opened", level = "debug", skip_all)]
    async fn opened(&self) -> Result<Option<Restore>> {
        let rows = self.load::<RestoreRow>(
            "SELECT restored_at, numbers, sequences, versions, batches
             FROM latest_restore
             WHERE id = 1
               AND open
               AND restored_at IS NOT NULL",
            Vec::new(),
        );
        rows.await?.pop().map(opened).transpose()
    }

    #[tracing::instrument(name = "db.restore.open", level = "debug", skip_all)]
    async fn open(&self, restore: &Restore) -> Result<()> {
        let identity = self.identity().await;
        let Restore { at, margins } = *restore;
        let values = vec![
            ("restored_at", at.into()),
            ("numbers", margins.numbers.into()),
            ("sequences", margins.sequences.into()),
            ("versions", margins.versions.into()),
            ("batches", margins.batches.into()),
            ("open", true.into()),
            ("identity", identity.into()),
        ];
        self.execute(
            "UPDATE latest_restore
             SET restored_at = :restored_at,
                 numbers = :numbers,
                 sequences = :sequences,
                 versions = :versions,
                 batches = :batches,
                 open = :open,
                 after_batch = NULL,
                 last_batch = NULL,
                 identity = :identity
             WHERE id = 1",
            values,
        )
        .await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.restore.skip_store", level = "debug", skip_all)]
    async fn skip_store(&self, restore: &Restore, store: StoreId) -> Result<StoreSkip> {
        let restore = *restore;
        // Rewrites the states of all orders of the store.
        self.call(Access::Unlimited, move |db| {
            match skipped(db, &restore, store)? {
                Some(skipped) => Ok(skipped),
                None => skip(db, &restore, store),
            }
        })
        .await
    }

    #[tracing::instrument(name = "db.restore.skip_shared", level = "debug", skip_all)]
    async fn skip_shared(&self, restore: &Restore) -> Result<SharedSkip> {
        let margins = restore.margins;
        self.call(Access::AcrossStores, move |db| {
            if let Some(batches) = skipped_batches(db)? {
                return Ok(SharedSkip { batches });
            }
            let batches = skip_batches(db, margins.batches)?;
            for text in VERSIONS {
                db.execute(text, &[("by", margins.versions.into())])?;
            }
            for text in ENDS {
                db.execute(text, &[])?;
            }
            Ok(SharedSkip { batches })
        })
        .await
    }

    #[tracing::instrument(name = "db.restore.is_finished", level = "debug", skip_all)]
    async fn is_finished(&self, _: &Restore) -> Result<bool> {
        // Opening another restore has removed the batches of the earlier one.
        let batches = self.call(Access::Read, skipped_batches);
        Ok(batches.await?.is_some())
    }

    #[tracing::instrument(name = "db.restore.close", level = "debug", skip_all)]
    async fn close(&self) -> Result<()> {
        let values = vec![("open", false.into())];
        self.execute(
            "UPDATE latest_restore SET open = :open WHERE id = 1 AND open",
            values,
        )
        .await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.restore.identities", level = "debug", skip_all)]
    async fn identities(&self) -> Result<DatabaseIdentities> {
        let text = "SELECT identity FROM latest_restore WHERE id = 1";
        let recorded = self.load::<Option<String>>(text, Vec::new());
        Ok(DatabaseIdentities {
            recorded: recorded.await?.pop().flatten(),
            present: self.identity().await,
        })
    }

    #[tracing::instrument(name = "db.restore.record_identity", level = "debug", skip_all)]
    async fn record_identity(&self, identity: &str) -> Result<()> {
        self.execute(
            "UPDATE latest_restore SET identity = :identity WHERE id = 1",
            vec![("identity", identity.into())],
        )
        .await?;
        Ok(())
    }
}

impl ColdStore {
    /// Returns the identity of the database; `None` if the database does not permit the query. Then
    /// only the warning about a restore is missing.
    async fn identity(&self) -> Option<String> {
        self.call(Access::Read, |db| {
            Ok(db
                .first::<Option<String>>(db.dialect.identity, &[])?
                .flatten())
        })
        .await
        .unwrap_or_default()
    }
}
