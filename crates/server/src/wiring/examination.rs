//! Examines the database: refuses what would lose orders, and collects what operators should know.

use pressline_cli::CommandError;
use pressline_domain::error::RepositoryError;
use pressline_store_postgres::{DatabaseUse, Deficiency, PostgresStore, Severity};

use crate::config::{Backend, Settings, with_sources};

use super::file::{accepted, deficiencies_of_file};
use super::{Adapters, connect_postgres, migration_statuses, unreadable};

/// Parts of messages about a server that cannot be reached from here and now: the configuration may
/// be right.
const AWAY: [&str; 11] = [
    "Connection refused",
    "Connection timed out",
    "Network is unreachable",
    "No route to host",
    "No such file or directory",
    "could not translate host name",
    "server closed the connection",
    "the database system is starting up",
    "the database system is shutting down",
    "timed out waiting for connection",
    "timeout expired",
];

impl Adapters {
    /// Examines PostgreSQL for `purpose`, and keeps its deficiencies. An SQLite file has been
    /// examined when it was opened.
    pub(crate) async fn examine(&mut self, purpose: DatabaseUse) -> Result<(), CommandError> {
        if let Some(store) = &self.postgres {
            let deficiencies = store.examine(purpose).await.map_err(unreadable)?;
            self.deficiencies = accepted("the PostgreSQL database", deficiencies)?;
        }
        Ok(())
    }

    /// Opens the database as [`open_migrated`](Self::open_migrated) does, but examines PostgreSQL
    /// before anything is changed.
    pub(crate) async fn open_examined(settings: Settings) -> Result<Self, CommandError> {
        let mut adapters = Self::open(settings)?;
        let migrates = adapters.settings.database.migrate;
        adapters.examine(purpose(migrates)).await?;
        adapters.ready_tables().await?;
        if migrates {
            adapters.examine(DatabaseUse::Serve).await?;
        }
        for deficiency in &adapters.deficiencies {
            tracing::warn!("{deficiency}");
        }
        adapters.measure_clock().await?;
        Ok(adapters)
    }
}

/// Examines the database for `config check`, and changes nothing. Returns what operators should
/// know.
///
/// # Errors
/// Returns an error if `serve` or `migrate` would refuse the database. A server that cannot be
/// reached is only reported: the settings may be meant for another machine.
pub(crate) async fn examine(settings: &Settings) -> Result<Vec<String>, CommandError> {
    let mut warnings = deficiencies_of_file(settings)?;
    let url = match settings.backend()? {
        Backend::Sqlite(path) if !path.exists() => {
            warnings.push(format!(
                "the database file {} does not exist yet; `pressline migrate` creates it",
                path.display()
            ));
            return Ok(warnings);
        }
        Backend::Sqlite(_) => {
            require_known(settings).await?;
            return Ok(warnings);
        }
        Backend::Postgres(url) => url,
    };
    let store = connect_postgres(settings, &url)?;
    match of_server(&store).await {
        Ok((deficiencies, pending)) => {
            warnings.extend(accepted("the PostgreSQL database", deficiencies)?);
            if !pending.is_empty() {
                let pending = pending.join(", ");
                warnings.push(format!(
                    "the database lacks migrations ({pending}); `pressline migrate` applies them"
                ));
            }
            Ok(warnings)
        }
        Err(error) if is_away(&error) => {
            warnings.push(format!(
                "the database was not examined, because it cannot be reached: {}",
                with_sources(&error)
            ));
            Ok(warnings)
        }
        Err(error) => Err(unreadable(error)),
    }
}

async fn of_server(
    store: &PostgresStore,
) -> Result<(Vec<Deficiency>, Vec<String>), RepositoryError> {
    let deficiencies = store.examine(DatabaseUse::Migrate).await?;
    // The migrations of an unusable database may be unreadable.
    let is_refusal = |deficiency: &Deficiency| deficiency.severity == Severity::Refusal;
    let pending = match deficiencies.iter().any(is_refusal) {
        true => Vec::new(),
        false => store.pending().await?,
    };
    Ok((deficiencies, pending))
}

fn purpose(migrates: bool) -> DatabaseUse {
    match migrates {
        true => DatabaseUse::Migrate,
        false => DatabaseUse::Serve,
    }
}

/// Refuses an SQLite file whose migrations another build has made.
async fn require_known(settings: &Settings) -> Result<(), CommandError> {
    let statuses = migration_statuses(settings).await?;
    let pending = pressline_store_postgres::pending_migrations(&statuses);
    pending.map(drop).map_err(unreadable)
}

fn is_away(error: &RepositoryError) -> bool {
    let text = with_sources(error);
    AWAY.iter().any(|part| text.contains(part))
}
