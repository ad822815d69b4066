//! Writes an import in portions that no reader sees, and then publishes all of them in one update.
//!
//! The file has one write lock, and writing 100,000 variants takes seconds, for which orders must
//! not wait. Therefore a row of a variant or price belongs to a range of generations of the
//! catalog: `since` is the first generation of the row, `until` the first generation without it.
//! The portions end rows with the next generation and add rows that begin with the next generation.
//! A single update then makes the next generation the current generation.

use std::thread;
use std::time::{Duration, Instant};

use diesel::QueryResult;
use diesel::result::Error::NotFound;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{CancelToken, Sql, Value};

use super::words;
use crate::connection::{Opener, Purpose};
use crate::error::{Failure, is_locked, repository};
use crate::sql::{load, load_first, run};

/// Maximum number of rows written before the write lock is released: few, because orders wait for
/// the lock.
const PORTION: usize = 250;
/// Maximum pause after a portion, so that waiting orders can get the write lock. SQLite lets an
/// order retry every 1 to 25 ms in its first 100 ms. Also the pause while another import runs.
const PAUSE: Duration = Duration::from_millis(50);
/// Pause between attempts to get the write lock.
const LOOK: Duration = Duration::from_millis(1);
/// Maximum time that a change of the catalog waits for other writes. A person or a script makes the
/// change, and prefers waiting to an error. Orders keep their shorter timeout.
pub(super) const WAIT: Duration = Duration::from_secs(30);
/// Number of seconds without a portion after which an import counts as dead, so that another import
/// may begin.
const LEASE_SECONDS: i64 = 15;

static GENERATION: Sql = Sql::new("SELECT generation FROM catalog_version");
static DELETE_DEAD_IMPORT: Sql =
    Sql::new("DELETE FROM catalog_import WHERE renewed_at + :lease_seconds < unixepoch()");
// The table has at most a single row: a conflict means that another import is in progress.
static CLAIM: Sql = Sql::new(
    "INSERT INTO catalog_import (id, owner, renewed_at)
     VALUES (1, random(), unixepoch())
     ON CONFLICT DO NOTHING
     RETURNING owner",
);
static RENEW: Sql =
    Sql::new("UPDATE catalog_import SET renewed_at = unixepoch() WHERE owner = :owner");
static RELEASE: Sql = Sql::new("DELETE FROM catalog_import WHERE owner = :owner");
static PUBLISH: Sql =
    Sql::new("UPDATE catalog_version SET version = version + 1, generation = :next");

// Rows that ended are deleted, and rows of an import that failed are removed. The number
// 9223372036854775807 is `until` in current rows. It stands in the texts, because SQLite finds the
// partial indexes by their text.
static DELETE_ENDED_PRICES: Sql = Sql::new(
    "DELETE FROM price_rows
     WHERE (store_id, sku, currency, valid_from, since) IN (
         SELECT store_id, sku, currency, valid_from, since
         FROM price_rows
         WHERE until <= (SELECT generation FROM catalog_version)
           AND until < 9223372036854775807
         LIMIT :portion
     )",
);
static DELETE_ENDED_VARIANTS: Sql = Sql::new(
    "DELETE FROM product_rows
     WHERE row_id IN (
         SELECT row_id
         FROM product_rows
         WHERE until <= (SELECT generation FROM catalog_version)
           AND until < 9223372036854775807
         LIMIT :portion
     )
     RETURNING words_id",
);
static DELETE_ADDED_PRICES: Sql = Sql::new(
    "DELETE FROM price_rows
     WHERE (store_id, sku, currency, valid_from, since) IN (
         SELECT store_id, sku, currency, valid_from, since
         FROM price_rows
         WHERE since > (SELECT generation FROM catalog_version)
         LIMIT :portion
     )",
);
static DELETE_ADDED_VARIANTS: Sql = Sql::new(
    "DELETE FROM product_rows
     WHERE row_id IN (
         SELECT row_id
         FROM product_rows
         WHERE since > (SELECT generation FROM catalog_version)
         LIMIT :portion
     )
     RETURNING words_id",
);
static CONTINUE_PRICES: Sql = Sql::new(
    "UPDATE price_rows
     SET until = 9223372036854775807
     WHERE (store_id, sku, currency, valid_from, since) IN (
         SELECT store_id, sku, currency, valid_from, since
         FROM price_rows
         WHERE until = :next
           AND until < 9223372036854775807
         LIMIT :portion
     )",
);
static CONTINUE_VARIANTS: Sql = Sql::new(
    "UPDATE product_rows
     SET until = 9223372036854775807
     WHERE row_id IN (
         SELECT row_id
         FROM product_rows
         WHERE until = :next
           AND until < 9223372036854775807
         LIMIT :portion
     )",
);

/// Import in progress. Dropping `Staging` removes the import's rows unless they were published.
pub(crate) struct Staging {
    connection: SqliteConnection,
    owner: i64,
    generation: i64,
    token: CancelToken,
    published: bool,
}

pub(super) fn generation(connection: &mut SqliteConnection) -> QueryResult<i64> {
    load_first(connection, &GENERATION, &[])?.ok_or(NotFound)
}

impl Staging {
    /// Waits until no other import is in progress, and removes the rows of a killed import. Fails
    /// if waiting takes longer than [`WAIT`], or if the caller no longer waits.
    pub(super) fn begin(opener: &Opener, token: &CancelToken) -> Result<Self, RepositoryError> {
        // Between orders the lock is free only for moments, which SQLite's own waiting would miss.
        let mut connection = opener.open_waiting(Purpose::Write, Duration::ZERO)?;
        let begun = Instant::now();
        let claimed = loop {
            token.check()?;
            if let Some(claimed) = locked(&mut connection, claim)? {
                break claimed;
            }
            if begun.elapsed() > WAIT {
                let message = "another import is being written: try again later";
                return Err(RepositoryError::Unavailable(message.into()));
            }
            thread::sleep(PAUSE);
        };
        let mut staging = Self {
            owner: claimed.owner,
            generation: claimed.generation,
            connection,
            token: token.clone(),
            published: false,
        };
        if claimed.has_leftovers {
            staging.undo()?;
        }
        Ok(staging)
    }

    pub(super) fn generation(&self) -> i64 {
        self.generation
    }

    /// Runs `work` for portions of `items`, with the generation that their rows will belong to.
    /// Fails also if the caller no longer waits, or if another import has begun because this import
    /// took too long.
    pub(super) fn portions<T>(
        &mut self,
        items: &[T],
        mut work: impl FnMut(&mut SqliteConnection, &[T], i64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for items in items.chunks(PORTION) {
            self.token.check()?;
            self.portion(|connection, next| work(connection, items, next))?;
        }
        Ok(())
    }

    /// Continues even if the caller no longer waits.
    fn portion<T>(
        &mut self,
        mut work: impl FnMut(&mut SqliteConnection, i64) -> Result<T, Failure>,
    ) -> Result<T, RepositoryError> {
        let (owner, next) = (self.owner, self.generation + 1);
        let mut took = Duration::ZERO;
        let value = locked(&mut self.connection, |connection| {
            let begun = Instant::now();
            renew(connection, owner)?;
            let result = work(connection, next);
            took = begun.elapsed();
            result
        })?;
        // Orders get about half of the time.
        thread::sleep(took.min(PAUSE));
        Ok(value)
    }

    /// Publishes the written portions. If replaced rows cannot be deleted, the next import does it.
    pub(super) fn publish(mut self) -> Result<(), RepositoryError> {
        let (owner, next) = (self.owner, self.generation + 1);
        locked(&mut self.connection, |connection| {
            renew(connection, owner)?;
            Ok(run(connection, &PUBLISH, &[("next", next.into())])?)
        })?;
        // From here on, `drop` must not undo the import.
        self.published = true;
        self.generation = next;
        if let Err(error) = self.delete_ended() {
            tracing::warn!(%error, "replaced rows of the catalog are not deleted yet");
        }
        Ok(())
    }

    fn delete_ended(&mut self) -> Result<(), RepositoryError> {
        self.repeat_text(&DELETE_ENDED_PRICES)?;
        self.delete_variants(&DELETE_ENDED_VARIANTS)
    }

    fn undo(&mut self) -> Result<(), RepositoryError> {
        self.repeat_text(&DELETE_ADDED_PRICES)?;
        self.delete_variants(&DELETE_ADDED_VARIANTS)?;
        self.repeat_text(&CONTINUE_PRICES)?;
        self.repeat_text(&CONTINUE_VARIANTS)
    }

    /// Runs `work`, which returns the number of changed rows, until it changes fewer than
    /// [`PORTION`].
    fn repeat(
        &mut self,
        mut work: impl FnMut(&mut SqliteConnection, i64) -> Result<usize, Failure>,
    ) -> Result<(), RepositoryError> {
        while self.portion(&mut work)? >= PORTION {}
        Ok(())
    }

    fn repeat_text(&mut self, text: &'static Sql) -> Result<(), RepositoryError> {
        self.repeat(|connection, next| {
            let values = [("next", next.into()), ("portion", of_portion())];
            Ok(run(connection, text, &values)?)
        })
    }

    /// Also deletes the search words of the rows, unless other rows use them.
    fn delete_variants(&mut self, text: &'static Sql) -> Result<(), RepositoryError> {
        self.repeat(|connection, _| {
            let deleted: Vec<i64> = load(connection, text, &[("portion", of_portion())])?;
            for words_id in &deleted {
                words::remove_unused(connection, *words_id)?;
            }
            Ok(deleted.len())
        })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let undone = match self.published {
            true => Ok(()),
            false => self.undo(),
        };
        let owner = self.owner;
        let released = undone.and_then(|()| {
            locked(&mut self.connection, |connection| {
                Ok(run(connection, &RELEASE, &[("owner", owner.into())])?)
            })
        });
        // After the lease, the next import cleans up.
        if let Err(error) = released {
            tracing::warn!(%error, "an import that did not end well is not removed yet");
        }
    }
}

fn of_portion() -> Value<'static> {
    i64::try_from(PORTION).unwrap_or(i64::MAX).into()
}

struct ImportClaim {
    owner: i64,
    generation: i64,
    /// Whether rows of a killed import may be left.
    has_leftovers: bool,
}

/// Returns `None` if another import is in progress.
fn claim(connection: &mut SqliteConnection) -> Result<Option<ImportClaim>, Failure> {
    let lease = [("lease_seconds", LEASE_SECONDS.into())];
    let deleted = run(connection, &DELETE_DEAD_IMPORT, &lease)?;
    let Some(owner) = load_first(connection, &CLAIM, &[])? else {
        return Ok(None);
    };
    Ok(Some(ImportClaim {
        owner,
        generation: generation(connection)?,
        has_leftovers: deleted > 0,
    }))
}

fn renew(connection: &mut SqliteConnection, owner: i64) -> Result<(), Failure> {
    if run(connection, &RENEW, &[("owner", owner.into())])? == 0 {
        let message = "the import took too long, and another import has begun";
        return Err(RepositoryError::Unavailable(message.into()).into());
    }
    Ok(())
}

/// Waits up to [`WAIT`] for the write lock.
fn locked<T>(
    connection: &mut SqliteConnection,
    mut work: impl FnMut(&mut SqliteConnection) -> Result<T, Failure>,
) -> Result<T, RepositoryError> {
    let begun = Instant::now();
    loop {
        match connection
            .immediate_transaction(&mut work)
            .map_err(repository)
        {
            Err(error) if is_locked(&error) && begun.elapsed() < WAIT => thread::sleep(LOOK),
            result => return result,
        }
    }
}
