//! Databases that belong to a single test.

use std::any::Any;
use std::sync::{Arc, PoisonError};

use diesel::connection::SimpleConnection;
use diesel::sql_types::Bool;
use diesel::{Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl, sql_query};

use crate::{Postgres, TestkitError, Variant, random};

/// A database of a test. Dropping the value drops the database and its connections. If the user may
/// not create databases, it is a schema of the user's database.
#[derive(Debug)]
pub struct Database {
    name: String,
    url: String,
    variant: Variant,
    /// URL for `CREATE DATABASE` and `DROP DATABASE`.
    maintenance_url: String,
    drop: String,
    is_schema: bool,
    /// Template of this copy. It is dropped after its last copy.
    template: Option<Arc<Self>>,
}

#[derive(QueryableByName)]
struct Rights {
    #[diesel(sql_type = Bool)]
    creates_databases: bool,
}

/// Returns whether the connection's user may create databases of the same kind. A Citus database
/// exists on each node, beyond the reach of a single statement.
fn creates_databases(connection: &mut PgConnection) -> QueryResult<bool> {
    let rights: Rights = sql_query(
        "SELECT (rolcreatedb OR rolsuper) AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
             AS creates_databases
         FROM pg_roles
         WHERE rolname = current_user",
    )
    .get_result(connection)?;
    Ok(rights.creates_databases)
}

impl Postgres {
    /// Creates an empty database with a unique name.
    ///
    /// # Errors
    /// Returns an error if the server refuses or does not respond.
    pub fn create_database(&self) -> Result<Database, TestkitError> {
        // `template0` never has connections, which would make the server refuse to copy it.
        Database::copy_of(self, "template0", format!("test_{}", random::hex()?))
    }

    /// Creates a copy of a database that `prepare` has filled once, because preparing takes longer
    /// than copying. A schema, if the user may not create databases, is prepared each time.
    ///
    /// # Errors
    /// Returns an error if the server refuses or does not respond, and the errors of `prepare`.
    pub fn create_prepared<E: From<TestkitError>>(
        &self,
        prepare: impl FnOnce(&Database) -> Result<(), E>,
    ) -> Result<Database, E> {
        // Other tests wait here until the first has prepared the template.
        let mut known = self
            .prepared()
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let template = match known.upgrade().and_then(|known| known.downcast().ok()) {
            Some(template) => template,
            None => {
                let database = self.create_database()?;
                prepare(&database)?;
                // A schema cannot be copied, so it is used directly and prepared each time.
                if database.is_schema {
                    return Ok(database);
                }
                // The server refuses to copy a database with connections.
                database.end_connections()?;
                let template = Arc::new(database);
                let erased: Arc<dyn Any + Send + Sync> = template.clone();
                // A weak reference: the last copy drops the template.
                *known = Arc::downgrade(&erased);
                template
            }
        };
        drop(known);
        let mut copy = Database::from_template(self, &template)?;
        copy.template = Some(template);
        Ok(copy)
    }

    /// Creates an empty database with the name `name`.
    pub(crate) fn create_database_named(&self, name: &str) -> Result<Database, TestkitError> {
        Database::copy_of(self, "template0", name.to_owned())
    }
}

impl Database {
    /// Copies the database `template` of the same cluster, so that a schema is built once and not
    /// for each test. Connections to the template are ended.
    ///
    /// # Errors
    /// [`TestkitError::NoCopy`] if the template is a schema. Returns an error if the server refuses
    /// or does not respond.
    pub fn from_template(postgres: &Postgres, template: &Self) -> Result<Self, TestkitError> {
        if template.is_schema {
            return Err(TestkitError::NoCopy);
        }
        let name = format!("test_{}", random::hex()?);
        template.end_connections()?;
        Self::copy_of(postgres, &template.name, name)
    }

    /// Returns the database's name: letters, digits and underscores.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the database's URL, as `postgres://user:password@host:port/database`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs `statements`, separated by semicolons, in a transaction of their own.
    ///
    /// # Errors
    /// Returns an error if the server refuses or does not respond.
    pub fn execute(&self, statements: &str) -> Result<(), TestkitError> {
        let failed = |reason| TestkitError::Sql {
            what: "a test's own statements".to_owned(),
            reason,
        };
        execute(&self.url, statements).map_err(failed)
    }

    /// Returns the PostgreSQL variant under test.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Ends all connections to the database. A pooler keeps some open, and the server would refuse
    /// to copy it.
    fn end_connections(&self) -> Result<(), TestkitError> {
        let statement = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'",
            self.name
        );
        let failed = |reason| TestkitError::Sql {
            what: format!("ending the connections to {}", self.name),
            reason,
        };
        execute(&self.maintenance_url, &statement).map_err(failed)
    }

    fn copy_of(postgres: &Postgres, template: &str, name: String) -> Result<Self, TestkitError> {
        let maintenance_url = postgres.maintenance_url().to_owned();
        let failed = |reason| TestkitError::Sql {
            what: format!("creating a database from {template}"),
            reason,
        };
        let mut connection = connect(&maintenance_url).map_err(failed)?;
        let refused = |error: diesel::result::Error| failed(error.to_string());
        let is_schema = !creates_databases(&mut connection).map_err(refused)?;
        let (create, url, drop) = if !is_schema {
            (
                format!("CREATE DATABASE {name} TEMPLATE {template}"),
                postgres.pooled_url(&name),
                format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"),
            )
        } else {
            // A schema's URL sets `search_path`, so that tests need not qualify their tables.
            let separator = if maintenance_url.contains('?') {
                '&'
            } else {
                '?'
            };
            (
                format!("CREATE SCHEMA {name}"),
                format!("{maintenance_url}{separator}options=-csearch_path%3D{name}"),
                format!("DROP SCHEMA IF EXISTS {name} CASCADE"),
            )
        };
        connection.batch_execute(&create).map_err(refused)?;
        Ok(Self {
            name,
            url,
            variant: postgres.variant(),
            maintenance_url,
            drop,
            is_schema,
            template: None,
        })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // If a test has stopped the server, the database is removed with the cluster.
        let _ = execute(&self.maintenance_url, &self.drop);
    }
}

fn connect(url: &str) -> Result<PgConnection, String> {
    PgConnection::establish(url).map_err(|error| error.to_string())
}

fn execute(url: &str, statement: &str) -> Result<(), String> {
    connect(url)?
        .batch_execute(statement)
        .map_err(|error| error.to_string())
}
