//! The cluster as tests see it: one of their own, or the one that all test programs share.

#[cfg(feature = "databases")]
use std::any::Any;
use std::path::PathBuf;
#[cfg(feature = "databases")]
use std::sync::Weak;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::server::Server;
use crate::{TestkitError, Variant};

/// A [`Database`](crate::Database), whose type is not known here.
#[cfg(feature = "databases")]
pub(crate) type Prepared = Mutex<Weak<dyn Any + Send + Sync>>;

/// A running PostgreSQL cluster. One that this process started ends with this value.
#[derive(Debug)]
pub struct Postgres {
    url: String,
    variant: Variant,
    /// The pooler through which tests connect to their databases, as `host:port`.
    pooler: Option<String>,
    /// `None` where another process owns the cluster.
    server: Option<Mutex<Server>>,
    /// The database that others are copies of, as long as there is a copy.
    #[cfg(feature = "databases")]
    prepared: Prepared,
}

/// How to start a cluster of one's own.
#[derive(Debug, Clone, Default)]
pub struct PostgresOptions {
    durable: bool,
    settings: Vec<(String, String)>,
    files: Vec<(String, String)>,
    password: Option<String>,
    programs: Option<PathBuf>,
}

impl PostgresOptions {
    /// Makes commits survive the loss of the machine, as in production; for crash tests and
    /// measurements. Otherwise nothing waits for the disk: a killed server may lose its last transactions,
    /// but stays consistent; a lost machine may not.
    #[must_use]
    pub fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// Sets one of the server's parameters; the last value given counts.
    #[must_use]
    pub fn setting(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file into the data folder before the server starts, readable by the server's user only: a
    /// certificate, a key, or `pg_hba.conf`.
    #[must_use]
    pub fn file(mut self, name: &str, content: &str) -> Self {
        self.files.push((name.to_owned(), content.to_owned()));
        self
    }

    /// Runs the server programs in `folder` instead of searching for some.
    #[must_use]
    pub fn programs(mut self, folder: PathBuf) -> Self {
        self.programs = Some(folder);
        self
    }

    /// Gives the user `postgres` this password instead of a random one.
    #[cfg(feature = "databases")]
    pub(crate) fn password(mut self, password: &str) -> Self {
        self.password = Some(password.to_owned());
        self
    }

    /// Makes the cluster and starts it, which takes about a second.
    ///
    /// # Errors
    /// When no server program is found or can be installed, or the server does not start.
    pub fn start(self) -> Result<Postgres, TestkitError> {
        let mut settings = Vec::new();
        // Durable is PostgreSQL's default. Not given here, each of them can be changed while it runs.
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

    /// As [`start`](Self::start), with the extension Citus loaded.
    ///
    /// # Errors
    /// [`TestkitError::NoCitus`] where it is not installed, or was built for another version.
    pub(crate) fn start_with_citus(self) -> Result<Postgres, TestkitError> {
        let started = self.setting("shared_preload_libraries", "citus").start();
        started.map_err(|error| match error {
            TestkitError::Start { log, .. } if log.contains("citus") => TestkitError::NoCitus,
            error => error,
        })
    }
}

impl Postgres {
    /// The cluster of another process at an address with a database, in the plain variant.
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

    /// Names the way to run PostgreSQL that tests are about, and the pooler in front of the cluster.
    pub(crate) fn in_variant(self, variant: Variant, pooler: Option<String>) -> Self {
        Self {
            variant,
            pooler,
            ..self
        }
    }

    /// A cluster of one's own that does not wait for the disk; for tests that stop or kill it.
    ///
    /// # Errors
    /// As [`PostgresOptions::start`].
    pub fn start() -> Result<Self, TestkitError> {
        Self::options().start()
    }

    /// A cluster of one's own, with a choice of settings.
    pub fn options() -> PostgresOptions {
        PostgresOptions::default()
    }

    /// The address of a database, as `postgres://user:password@host:port/database`.
    pub fn url(&self, database: &str) -> String {
        with_database(&self.url, database)
    }

    /// The way to run PostgreSQL that tests on this cluster are about.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The address of the cluster with the database that it was given with.
    #[cfg(feature = "databases")]
    pub(crate) fn maintenance_url(&self) -> &str {
        &self.url
    }

    /// The address of a database as tests connect to it, through the pooler if there is one.
    pub fn pooled_url(&self, database: &str) -> String {
        let url = self.url(database);
        match (&self.pooler, url.rsplit_once('@')) {
            (Some(pooler), Some((login, _))) => format!("{login}@{pooler}/{database}"),
            _ => url,
        }
    }

    /// The server's first process, whose children all others are; none where another process owns the
    /// cluster, or it is stopped.
    pub fn process_id(&self) -> Option<u32> {
        self.server("name the process of").ok()?.process_id()
    }

    /// The database that others are copies of.
    #[cfg(feature = "databases")]
    pub(crate) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The port that it listens on.
    pub fn port(&self) -> String {
        let address = self.url.rsplit(['@', '/']).nth(1).unwrap_or_default();
        address.rsplit(':').next().unwrap_or_default().to_owned()
    }

    /// Shuts the server down in order. Connections to it fail until [`Postgres::restart`].
    ///
    /// # Errors
    /// When another process owns the cluster, or the cluster does not stop in time.
    pub fn stop(&self) -> Result<(), TestkitError> {
        self.server("stop")?.stop()
    }

    /// Starts the server again at the same address, after [`Postgres::stop`] or [`Postgres::kill`];
    /// one that runs is stopped first. After a kill it takes some seconds, until the old server's
    /// processes have ended.
    ///
    /// # Errors
    /// When another process owns the cluster, or the cluster does not stop or start in time.
    pub fn restart(&self) -> Result<(), TestkitError> {
        let mut server = self.server("restart")?;
        server.stop()?;
        server.start()
    }

    /// Kills the server (SIGKILL to its first process), as a crash would.
    ///
    /// # Errors
    /// When another process owns the cluster.
    pub fn kill(&self) -> Result<(), TestkitError> {
        self.server("kill")?.kill()
    }

    fn server(&self, action: &'static str) -> Result<MutexGuard<'_, Server>, TestkitError> {
        let server = self
            .server
            .as_ref()
            .ok_or(TestkitError::Shared { action })?;
        // A test that panicked while it held the lock leaves a server that can still be stopped.
        Ok(server.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Puts another database into an address, and keeps the parameters after it.
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
