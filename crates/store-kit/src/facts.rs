//! Facts about the database, for a page of the console.

use pressline_domain::error::RepositoryError;
use pressline_domain::value::Timestamp;

use crate::cold_store::{Access, ColdStore};

/// Version, size and clock of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// Version of the database software.
    pub version: String,
    /// Size of the database in bytes.
    pub bytes: u64,
    /// Time of the database's own clock; `None` if the database uses this machine's clock.
    pub now: Option<Timestamp>,
}

impl ColdStore {
    /// Returns the time of the database's own clock; `None` if the database uses this machine's
    /// clock. The statement reads nothing else, so that half of its duration tells how old the
    /// result is.
    pub async fn clock(&self) -> Result<Option<Timestamp>, RepositoryError> {
        self.call(Access::Read, |db| {
            let Some(statement) = db.dialect.clock else {
                return Ok(None);
            };
            let row = db.first::<i64>(statement, &[])?;
            let now = row.ok_or(diesel::result::Error::NotFound)?;
            Ok(Some(Timestamp::from_millis(now)))
        })
        .await
    }

    /// Returns version, size and clock of the database.
    pub async fn facts(&self) -> Result<DatabaseFacts, RepositoryError> {
        self.call(Access::Read, |db| {
            let row = db.first::<(String, i64, Option<i64>)>(db.dialect.facts, &[])?;
            let (version, bytes, now) = row.ok_or(diesel::result::Error::NotFound)?;
            Ok(DatabaseFacts {
                version,
                bytes: u64::try_from(bytes).unwrap_or(0),
                now: now.map(Timestamp::from_millis),
            })
        })
        .await
    }
}
