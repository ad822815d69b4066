//! Compares the migrations of this program with the migrations of a database, and applies the
//! missing migrations. Used for SQLite and PostgreSQL.

use diesel::connection::SimpleConnection;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::value::Timestamp;
use sha2::{Digest, Sha256};

use crate::connection::Db;
use crate::dialect::Dialect;
use crate::failure::Failure;
use crate::sql::SqlConnection;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS pressline_migrations (
    name TEXT PRIMARY KEY NOT NULL,
    -- SHA-256 of the statements, in hexadecimal digits.
    hash TEXT NOT NULL,
    -- Unix milliseconds.
    applied_at BIGINT NOT NULL
)";

/// Migration that is part of this program.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Number and name, for example `0001_initial`.
    pub name: &'static str,
    /// SQL statements of the migration.
    pub text: &'static str,
}

/// Migrations of this program for SQLite or for PostgreSQL.
#[derive(Debug, Clone, Copy)]
pub struct Migrations {
    /// Migrations in the order of application.
    pub list: &'static [Migration],
    /// Dialect of the database.
    pub dialect: &'static Dialect,
    /// Statement that returns a row of 64-bit integers: 1 if the table `pressline_migrations`
    /// exists, 1 if the table `stores` exists, and the database's time in Unix milliseconds.
    pub look: &'static str,
}

/// Migration that the program contains, the database has recorded, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStatus {
    /// Number and name, for example `0001_initial`.
    pub name: String,
    /// Result of comparing the program with the database.
    pub state: MigrationState,
    /// Time of application; `None` if pending, or if the database has not recorded the time.
    pub applied_at: Option<Timestamp>,
    /// SQL statements of the migration. `None` if this program does not have the migration.
    pub text: Option<&'static str>,
}

/// Result of comparing a migration of the program with the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MigrationState {
    /// Applied to the database, with the statements of this program.
    Applied,
    /// Not applied yet.
    Pending,
    /// Applied to the database under the same name, but with other statements.
    Altered,
    /// Only the database has the migration: a newer program has applied it.
    Unknown,
    /// The tables exist, but the table `pressline_migrations` is empty: its rows were deleted, or
    /// a copy of the database was made without them.
    Unrecorded,
}

impl MigrationState {
    /// Returns `applied`, `pending`, `altered`, `unknown` or `unrecorded`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Pending => "pending",
            Self::Altered => "altered",
            Self::Unknown => "unknown",
            Self::Unrecorded => "unrecorded",
        }
    }
}

impl Migration {
    fn hash(&self) -> String {
        text_hash(self.text)
    }
}

/// Returns the SHA-256 hash of the SQL text `text`, in 64 hexadecimal digits.
pub fn text_hash(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Migrations {
    /// Compares the migrations of this program and of the database. Changes nothing.
    pub fn statuses(
        &self,
        connection: &mut dyn SqlConnection,
    ) -> Result<Vec<MigrationStatus>, Failure> {
        let (has_log, has_stores, _) = self.look(connection)?;
        let mut stored: Vec<(String, String, i64)> = if has_log {
            let text = "SELECT name, hash, applied_at FROM pressline_migrations ORDER BY name";
            Db::new(connection, self.dialect).load(text, &[])?
        } else {
            Vec::new()
        };
        let is_unrecorded = has_stores && has_log && stored.is_empty();
        let mut statuses = Vec::new();
        for migration in self.list {
            let at = stored.iter().position(|(name, ..)| name == migration.name);
            let stored_migration = at.map(|at| stored.remove(at));
            let state = match &stored_migration {
                Some((_, hash, _)) if *hash == migration.hash() => MigrationState::Applied,
                Some(_) => MigrationState::Altered,
                // Tables without a migration log: a build from before the log created this
                // database.
                None if has_stores && !has_log => MigrationState::Altered,
                None if is_unrecorded => MigrationState::Unrecorded,
                None => MigrationState::Pending,
            };
            statuses.push(MigrationStatus {
                name: migration.name.to_owned(),
                state,
                applied_at: stored_migration.map(|(_, _, at)| Timestamp::from_millis(at)),
                text: Some(migration.text),
            });
        }
        statuses.extend(stored.into_iter().map(|(name, _, at)| MigrationStatus {
            name,
            state: MigrationState::Unknown,
            applied_at: Some(Timestamp::from_millis(at)),
            text: None,
        }));
        Ok(statuses)
    }

    /// Returns the names of the pending migrations.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if a migration is altered, unrecorded, or unknown to this
    /// program.
    pub fn pending(&self, connection: &mut dyn SqlConnection) -> Result<Vec<String>, Failure> {
        let statuses = self.statuses(connection)?;
        let pending = pending_migrations(&statuses)?;
        let names = pending.into_iter().map(|status| status.name.clone());
        Ok(names.collect())
    }

    /// Checks that this program can use the database. Migrations of newer builds are accepted,
    /// because servers are replaced one by one after a migration.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if a migration is pending, altered or unrecorded.
    pub fn check(&self, connection: &mut dyn SqlConnection) -> Result<(), Failure> {
        let statuses = self.statuses(connection)?;
        refuse_altered(&statuses)?;
        let names: Vec<&str> = of_state(&statuses, MigrationState::Pending)
            .map(|status| status.name.as_str())
            .collect();
        if names.is_empty() {
            return Ok(());
        }
        let pending = names.join(", ");
        let message = format!("the database lacks migrations: {pending}");
        Err(unusable(message).into())
    }

    /// Returns `true` if the database has none of the migrations yet.
    pub fn is_new(&self, connection: &mut dyn SqlConnection) -> Result<bool, Failure> {
        Ok(self.pending(connection)?.len() == self.list.len())
    }

    /// Applies the pending migrations and returns their names. `first` has the shipping rates and
    /// fees that a new database gets.
    pub fn apply(
        &self,
        connection: &mut (impl SimpleConnection + SqlConnection),
        first: &Tariff,
    ) -> Result<Vec<String>, Failure> {
        let pending = self.pending(connection)?;
        if pending.is_empty() {
            return Ok(pending);
        }
        connection.batch_execute(TABLE)?;
        let (_, _, now) = self.look(connection)?;
        let lacks = |migration: &&Migration| pending.iter().any(|name| name == migration.name);
        for migration in self.list.iter().filter(lacks) {
            connection.batch_execute(migration.text)?;
            Db::new(connection, self.dialect).execute(
                "INSERT INTO pressline_migrations (name, hash, applied_at)
                 VALUES (:name, :hash, :applied_at)",
                &[
                    ("name", migration.name.into()),
                    ("hash", migration.hash().into()),
                    ("applied_at", now.into()),
                ],
            )?;
            tracing::info!(migration = migration.name, "applied a migration");
        }
        // The default tariff is empty: the tables of rates and fees then stay empty too.
        if pending.len() == self.list.len() && *first != Tariff::default() {
            Db::new(connection, self.dialect).set_tariff(first)?;
        }
        Ok(pending)
    }

    fn look(&self, connection: &mut dyn SqlConnection) -> Result<(bool, bool, i64), Failure> {
        let mut db = Db::new(connection, self.dialect);
        let row = db.first::<(i64, i64, i64)>(self.look, &[])?;
        let (has_log, has_stores, now) = row.unwrap_or_default();
        Ok((has_log == 1, has_stores == 1, now))
    }
}

/// Returns the elements of `statuses` that are pending, in their order.
///
/// # Errors
/// [`RepositoryError::Unavailable`] if a migration is altered, unrecorded, or unknown to this program.
pub fn pending_migrations(statuses: &[MigrationStatus]) -> Result<Vec<&MigrationStatus>> {
    refuse_altered(statuses)?;
    if let Some(name) = first(statuses, MigrationState::Unknown) {
        return Err(unusable(format!(
            "a newer build has migrated this database: this program does not know the migration {name}; use that build"
        )));
    }
    Ok(of_state(statuses, MigrationState::Pending).collect())
}

fn first(statuses: &[MigrationStatus], state: MigrationState) -> Option<&str> {
    of_state(statuses, state)
        .next()
        .map(|status| status.name.as_str())
}

fn of_state(
    statuses: &[MigrationStatus],
    state: MigrationState,
) -> impl Iterator<Item = &MigrationStatus> {
    statuses.iter().filter(move |status| status.state == state)
}

fn refuse_altered(statuses: &[MigrationStatus]) -> Result<()> {
    if let Some(name) = first(statuses, MigrationState::Unrecorded) {
        return Err(unusable(format!(
            "the table pressline_migrations is empty although the other tables exist, so it is unknown which build \
             made them; restore its row {name} from a backup, together with the tables that belong to it"
        )));
    }
    let Some(name) = first(statuses, MigrationState::Altered) else {
        return Ok(());
    };
    Err(unusable(format!(
        "another build made this database: its migration {name} is not the one of this program; use that build, or \
         create a new database"
    )))
}

fn unusable(message: String) -> RepositoryError {
    RepositoryError::Unavailable(message.into())
}
