//! The migrations that a database lacks, listed and applied in the same way for both databases.

use diesel::backend::Backend;
use diesel::migration::{Migration, MigrationSource};
use diesel::result::Error as DieselError;
use diesel_migrations::MigrationHarness;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::pricing::tariff::Tariff;

use crate::catalog::CatalogTables;
use crate::cold_store::Failure;
use crate::connection::{ColdConnection, load};

/// The names of the migrations of `source` that the database lacks. Changes nothing.
///
/// `has_versions` is true where the database has diesel's table of applied migrations. diesel's own
/// function would create the table.
///
/// # Errors
/// As the database fails.
pub fn lacking_migrations<DB: Backend>(
    connection: &mut dyn ColdConnection,
    source: &impl MigrationSource<DB>,
    has_versions: bool,
) -> Result<Vec<String>, Failure> {
    let applied: Vec<String> = if has_versions {
        let text = "SELECT version FROM __diesel_schema_migrations";
        load(connection, text, &[])?
    } else {
        Vec::new()
    };
    let all = source.migrations().map_err(failure)?;
    let names = all.iter().map(|migration| migration.name());
    Ok(names
        .filter(|name| !applied.contains(&name.version().to_string()))
        .map(ToString::to_string)
        .collect())
}

/// Migrations that a database lacks, to be applied.
pub struct PendingMigrations<DB: Backend> {
    migrations: Vec<Box<dyn Migration<DB>>>,
    is_new: bool,
}

impl<DB: Backend> PendingMigrations<DB> {
    /// The migrations of `source` that the database lacks. Creates diesel's table of applied
    /// migrations where there is none.
    ///
    /// # Errors
    /// As the database fails.
    pub fn of(
        connection: &mut impl MigrationHarness<DB>,
        source: impl MigrationSource<DB>,
    ) -> Result<Self, Failure> {
        let all = source.migrations().map_err(failure)?.len();
        let migrations = connection.pending_migrations(source).map_err(failure)?;
        let is_new = migrations.len() == all;
        Ok(Self { migrations, is_new })
    }

    /// Whether no migration has been applied to the database.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Applies the migrations in their order, and gives a new database its first shipping rates and
    /// fees. Returns the names of the migrations.
    ///
    /// # Errors
    /// As the database fails.
    pub fn apply(
        &self,
        connection: &mut (impl MigrationHarness<DB> + ColdConnection),
        first: &Tariff,
    ) -> Result<Vec<String>, Failure> {
        let mut names = Vec::with_capacity(self.migrations.len());
        for migration in &self.migrations {
            connection.run_migration(migration).map_err(failure)?;
            let name = migration.name().to_string();
            tracing::info!(migration = name, "applied a migration");
            names.push(name);
        }
        // A program without a tariff leaves the tables of rates and fees empty.
        if self.is_new && *first != Tariff::default() {
            CatalogTables(connection).set_tariff(first)?;
        }
        Ok(names)
    }
}

/// What diesel's migrations report as any error: mostly an error of the database.
fn failure(error: Source) -> Failure {
    match error.downcast::<DieselError>() {
        Ok(error) => Failure::Database(*error),
        Err(error) => Failure::Repository(RepositoryError::Refused(error)),
    }
}
