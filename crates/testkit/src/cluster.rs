//! A PostgreSQL cluster for tests: private to a test, or shared by all test programs.

#[cfg(feature = "databases")]
use std::any::Any;
use std::path::PathBuf;
#[cfg(feature = "databases")]
use std::sync::Weak;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::server::Server;
use crate::{TestkitError, Variant};

/// A [`Database`](crate::Database), type-erased to keep this module independent of it.
#[cfg(feature = "databases")]
pub(crate) type Prepared = Mutex<Weak<dyn Any + Send + Sync>>;

/// A running PostgreSQL cluster. Dropping the value stops the cluster if this process started it.
#[derive(Debug)]
pub struct Postgres {
    url: String,
    variant: Variant,
    /// Address of the pooler in front of the cluster, as `host:port`.
    pooler: Option<String>,
    /// `None` if another process owns the cluster.
    server: Option<Mutex<Server>>,
    /// Template of the databases that [`Postgres::create_prepared`] makes, while a copy exists.
    #[cfg(feature = "databases")]
    prepared: Prepared,
}

/// Options of a private cluster, see [`Postgres::options`].
#[derive(Debug, Clone, Default)]
pub struct PostgresOptions {
    durable: bool,
    settings: Vec<(String, String)>,
    files: Vec<(String, String)>,
    password: Option<String>,
    programs: Option<PathBuf>,
}

impl PostgresOptions {
    /// Makes commits survive a crash of the machine, as in production; for crash tests and
    /// measurements. Without it nothing waits for the disk: a killed server may lose its last
    /// transactions but stays consistent; after a crash of the machine it may not.
    #[must_use]
    pub fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// Sets the server parameter `name`. The last value counts.
    #[must_use]
    pub fn setting(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes the file `name` into the data folder before the server starts, readable by the
    /// server's user only: a certificate, a key, or `pg_hba.conf`.
    #[must_use]
    pub fn file(mut self, name: &str, content: &str) -> Self {
        self.files.push((name.to_owned(), content.to_owned()));
        self
    }

    /// Uses the server programs in `folder` instead of searching for some.
    #[must_use]
    pub fn programs(mut self, folder: PathBuf) -> Self {
        self.programs = Some(folder);
        self
    }

    /// Sets the password of the user `postgres`. The default is random.
    #[cfg(feature = "databases")]
    pub(crate) fn password(mut self, password: &str) -> Self {
        self.password = Some(password.to_owned());
        self
    }

    /// Creates and starts the cluster. That takes about a second.
    ///
    /// # Errors
    /// Returns an error if no server program is found or can be installed, or if the server does
    /// not start.
    pub fn start(self) -> Result<Postgres, TestkitError> {
        let mut settings = Vec::new();
        // PostgreSQL's defaults are durable. A setting that is not passed here can be changed while
        // the server runs.
        if !self.durable {
            let names = ["fsync", "synchronous_commit", "full_page_writes"];
            settings.extend(names.map(|name| (name.to_owned(), "off".to_owned())));
        }
        settings.extend(self.settings);
        let server = Server::create(settings, &self.files, self.password, self.programs)?;
        let url = server.url("postgres");
        Ok(Postgres {
            server: Some(Mutex::new(server)),
            ..Postgres::at(url)
        })
    }

    /// Same as [`start`](Self::start), with the extension Citus loaded.
    ///
    /// # Errors
    /// [`TestkitError::NoCitus`] if it is not installed, or was built for another version.
    pub(crate) fn start_with_citus(self) -> Result<Postgres, TestkitError> {
        let started = self.setting("shared_preload_libraries", "citus").start();
        started.map_err(|error| match error {
            TestkitError::Start { log, .. } if log.contains("citus") => TestkitError::NoCitus,
            error => error,
        })
    }
}

impl Postgres {
    /// Connects to the cluster of another process; `url` includes a database. The variant is
    /// `Plain`.
    pub fn at(url: String) -> Self {
        Self {
            url,
            variant: Variant::Plain,
            pooler: None,
            server: None,
            #[cfg(feature = "databases")]
            prepared: Mutex::new(Weak::<()>::new()),
        }
    }

    /// Sets the variant under test, and `pooler`, the address of the pooler in front of the
    /// cluster.
    pub(crate) fn in_variant(self, variant: Variant, pooler: Option<String>) -> Self {
        Self {
            variant,
            pooler,
            ..self
        }
    }

    /// Starts a private cluster that does not wait for the disk; for tests that stop or kill it.
    ///
    /// # Errors
    /// Same errors as [`PostgresOptions::start`].
    pub fn start() -> Result<Self, TestkitError> {
        Self::options().start()
    }

    /// Returns the options of a private cluster, to be started with [`PostgresOptions::start`].
    pub fn options() -> PostgresOptions {
        PostgresOptions::default()
    }

    /// Returns the URL of `database`, as `postgres://user:password@host:port/database`.
    pub fn url(&self, database: &str) -> String {
        with_database(&self.url, database)
    }

    /// Returns the PostgreSQL variant under test.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// URL of the cluster with its original database.
    #[cfg(feature = "databases")]
    pub(crate) fn maintenance_url(&self) -> &str {
        &self.url
    }

    /// Returns the URL of `database` for tests: of the pooler if there is a pooler, else of the
    /// server.
    pub fn pooled_url(&self, database: &str) -> String {
        let url = self.url(database);
        match (&self.pooler, url.rsplit_once('@')) {
            (Some(pooler), Some((login, _))) => format!("{login}@{pooler}/{database}"),
            _ => url,
        }
    }

    /// Returns the id of the server's first process, the parent of all others; `None` if another
    /// process owns the cluster, or if it is stopped.
    pub fn process_id(&self) -> Option<u32> {
        self.server("name the process of").ok()?.process_id()
    }

    /// Returns the lines of the server's log about failures of the server itself; none if another
    /// process owns the cluster.
    pub fn incidents(&self) -> Vec<String> {
        let server = self.server("read the log of");
        server.map_or_else(|_| Vec::new(), |server| server.incidents())
    }

    /// Template database of prepared databases.
    #[cfg(feature = "databases")]
    pub(crate) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// Returns the port on which the server listens.
    pub fn port(&self) -> String {
        let address = self.url.rsplit(['@', '/']).nth(1).unwrap_or_default();
        address.rsplit(':').next().unwrap_or_default().to_owned()
    }

    /// Shuts the server down regularly. Connections fail until [`Postgres::restart`].
    ///
    /// # Errors
    /// Returns an error if another process owns the cluster, or if the cluster does not stop in
    /// time.
    pub fn stop(&self) -> Result<(), TestkitError> {
        self.server("stop")?.stop()
    }

    /// Starts the server again at the same address, after [`Postgres::stop`] or [`Postgres::kill`].
    /// A running server is stopped first. After a kill it takes some seconds, until the old
    /// server's processes have ended.
    ///
    /// # Errors
    /// Returns an error if another process owns the cluster, or if the cluster does not stop or
    /// start in time.
    pub fn restart(&self) -> Result<(), TestkitError> {
        let mut server = self.server("restart")?;
        server.stop()?;
        server.start()
    }

    /// Kills the server (SIGKILL to its first process), as a crash would.
    ///
    /// # Errors
    /// Returns an error if another process owns the cluster.
    pub fn kill(&self) -> Result<(), TestkitError> {
        self.server("kill")?.kill()
    }

    fn server(&self, action: &'static str) -> Result<MutexGuard<'_, Server>, TestkitError> {
        let server = self
            .server
            .as_ref()
            .ok_or(TestkitError::Shared { action })?;
        // If a test panicked while it held the lock, the server can still be stopped.
        Ok(server.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Replaces the database in `url` and keeps the parameters.
fn with_database(url: &str, database: &str) -> String {
    let (address, parameters) = match url.split_once('?') {
        Some((address, parameters)) => (address, format!("?{parameters}")),
        None => (url, String::new()),
    };
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let (authority, _) = rest.split_once('/').unwrap_or((rest, ""));
    format!("{scheme}://{authority}/{database}{parameters}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_only_the_database() {
        for (url, expected) in [
            (
                "postgres://u:p@h:5432/postgres",
                "postgres://u:p@h:5432/orders",
            ),
            ("postgres://u:p@h:5432", "postgres://u:p@h:5432/orders"),
            ("postgresql://h/", "postgresql://h/orders"),
            (
                "postgres://h/a?host=/run/pg&x=1",
                "postgres://h/orders?host=/run/pg&x=1",
            ),
        ] {
            assert_eq!(with_database(url, "orders"), expected);
        }
    }

    #[test]
    fn a_cluster_of_others_cannot_be_stopped() {
        let shared = Postgres::at("postgres://h/postgres".to_owned());
        for result in [shared.stop(), shared.restart(), shared.kill()] {
            assert!(
                matches!(result, Err(TestkitError::Shared { .. })),
                "{result:?}"
            );
        }
    }
}
