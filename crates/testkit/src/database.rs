//! A database of a test's own.

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection};

use crate::{Postgres, TestkitError, random};

/// A database that is dropped, together with the connections to it, when this value is.
#[derive(Debug)]
pub struct Database {
    name: String,
    url: String,
    /// Where statements about databases go.
    maintenance_url: String,
}

impl Postgres {
    /// Makes an empty database with a unique name.
    ///
    /// # Errors
    /// When the server refuses, or is not there.
    pub fn create_database(&self) -> Result<Database, TestkitError> {
        // template0 never has connections, which would make the server refuse to copy it.
        Database::copy_of(self, "template0", format!("test_{}", random::hex()?))
    }

    /// Makes an empty database with this name.
    pub(crate) fn create_database_named(&self, name: &str) -> Result<Database, TestkitError> {
        Database::copy_of(self, "template0", name.to_owned())
    }
}

impl Database {
    /// Makes a copy of a database of the same cluster, so that a schema is built once and not for
    /// each test. There must be no connection to the template.
    ///
    /// # Errors
    /// When the server refuses, or is not there.
    pub fn from_template(postgres: &Postgres, template: &Self) -> Result<Self, TestkitError> {
        let name = format!("test_{}", random::hex()?);
        Self::copy_of(postgres, &template.name, name)
    }

    /// Its name; letters, digits and underscores.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its address, as `postgres://user:password@host:port/database`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs statements, separated by semicolons, in one transaction of their own.
    ///
    /// # Errors
    /// When the server refuses, or is not there.
    pub fn execute(&self, statements: &str) -> Result<(), TestkitError> {
        let failed = |reason| TestkitError::Sql {
            what: "a test's own statements".to_owned(),
            reason,
        };
        execute(&self.url, statements).map_err(failed)
    }

    fn copy_of(postgres: &Postgres, template: &str, name: String) -> Result<Self, TestkitError> {
        let maintenance_url = postgres.url("postgres");
        let statement = format!("CREATE DATABASE {name} TEMPLATE {template}");
        execute(&maintenance_url, &statement).map_err(|reason| TestkitError::Sql {
            what: format!("creating a database from {template}"),
            reason,
        })?;
        Ok(Self {
            url: postgres.url(&name),
            name,
            maintenance_url,
        })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A test may have stopped the server; the database then goes with the cluster.
        let _ = execute(
            &self.maintenance_url,
            &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name),
        );
    }
}

fn execute(url: &str, statement: &str) -> Result<(), String> {
    let mut connection = PgConnection::establish(url).map_err(|error| error.to_string())?;
    connection
        .batch_execute(statement)
        .map_err(|error| error.to_string())
}
