//! pgbouncer in front of a cluster.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::net::TcpStream;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::reaper::Reaper;
use crate::server::{POLL_INTERVAL, free_port};
use crate::tool::find_program;
use crate::user::ServerUser;
use crate::variant::Variant;
use crate::{Postgres, TestkitError, random};

/// Environment variable with the pooler's address, as `host:port`, for the tests of a run.
pub const POOLER_VARIABLE: &str = "PRESSLINE_TEST_POOLER";

const TIMEOUT: Duration = Duration::from_secs(10);

/// A running pgbouncer in transaction mode. Dropping the value stops it.
#[derive(Debug)]
pub struct Pooler {
    address: String,
    process: Option<Child>,
    reaper: Reaper,
}

impl Pooler {
    /// Returns the path of the program; `None` if it is not installed.
    pub fn program() -> Option<PathBuf> {
        find_program("pgbouncer")
    }

    /// Starts a pooler in front of all databases of `postgres`.
    ///
    /// # Errors
    /// Returns an error if pgbouncer is not installed or does not start.
    pub fn start(postgres: &Postgres) -> Result<Self, TestkitError> {
        Self::start_with(postgres, "")
    }

    /// Same as [`start`](Self::start), with `settings`: additional lines of the section
    /// `[pgbouncer]`.
    ///
    /// # Errors
    /// Same errors as [`start`](Self::start).
    pub fn start_with(postgres: &Postgres, settings: &str) -> Result<Self, TestkitError> {
        let program = Self::program().ok_or(TestkitError::NoPooler)?;
        let user = ServerUser::find()?;
        let folder = env::temp_dir().join(format!("pressline-pgbouncer-{}", random::hex()?));
        // Started before the folder exists, so that nothing is left behind.
        let reaper = Reaper::start(&folder, user)?;
        let port = free_port()?;
        configure(&folder, &postgres.url("postgres"), port, user, settings)?;
        let log_file = folder.join("log");
        let log = File::create(&log_file).map_err(TestkitError::io("creating pgbouncer's log"))?;
        let process = user
            .command(program)
            .arg(folder.join("pgbouncer.ini"))
            .stderr(log)
            // A process group of its own, so that signals of the terminal do not reach it.
            .process_group(0)
            .spawn()
            .map_err(TestkitError::io("running pgbouncer"))?;
        let mut pooler = Self {
            address: format!("127.0.0.1:{port}"),
            process: None,
            reaper,
        };
        pooler.reaper.watch(Some(process.id()))?;
        pooler.process = Some(process);
        pooler.wait_until_ready(&log_file)?;
        Ok(pooler)
    }

    /// Returns the pooler's address, as `host:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    fn wait_until_ready(&self, log: &Path) -> Result<(), TestkitError> {
        let begin = Instant::now();
        while TcpStream::connect(&self.address).is_err() {
            if begin.elapsed() > TIMEOUT {
                let log = fs::read_to_string(log).unwrap_or_default();
                return Err(TestkitError::Start {
                    program: "pgbouncer",
                    log,
                });
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.reaper.finish(self.process.take());
    }
}

/// Writes `pgbouncer.ini` and the file of users. The pool is smaller than the service's own pool,
/// so that connections are really shared.
fn configure(
    folder: &Path,
    url: &str,
    port: u16,
    user: ServerUser,
    settings: &str,
) -> Result<(), TestkitError> {
    let (name, password, server) = login(url).ok_or_else(|| TestkitError::Sql {
        what: "starting pgbouncer".to_owned(),
        reason: "the address of the cluster has no user, password, host and port".to_owned(),
    })?;
    let (host, server_port) = server;
    let users = folder.join("users");
    let settings = format!(
        "[databases]\n* = host={host} port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
         listen_port = {port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = {}\n\
         pool_mode = transaction\ndefault_pool_size = 5\nmax_client_conn = 2000\n{settings}",
        users.display()
    );
    let files = [
        (folder.join("pgbouncer.ini"), settings),
        (users, format!("\"{name}\" \"{password}\"\n")),
    ];
    // 0o700, because the file of users contains the password.
    DirBuilder::new()
        .mode(0o700)
        .create(folder)
        .map_err(TestkitError::io("creating pgbouncer's folder"))?;
    for (file, text) in files {
        fs::write(&file, text).map_err(TestkitError::io("writing pgbouncer's configuration"))?;
        user.own(&file)?;
    }
    user.own(folder)
}

/// User, password, host and port of a URL.
fn login(url: &str) -> Option<(&str, &str, (&str, &str))> {
    let (login, server) = url.split_once("://")?.1.rsplit_once('@')?;
    let (name, password) = login.split_once(':')?;
    let server = server.split(['/', '?']).next()?.rsplit_once(':')?;
    Some((name, password, server))
}

impl Variant {
    /// Starts a pooler between tests and `postgres`; returns `None` if the variant has no pooler.
    ///
    /// # Errors
    /// [`TestkitError::NoPooler`] or [`TestkitError::NoCitus`] if the variant needs a program that
    /// is not installed or cannot be loaded; otherwise same errors as [`Pooler::start`] and
    /// [`Postgres::start`].
    pub fn start_pooler(self, postgres: &Postgres) -> Result<Option<Pooler>, TestkitError> {
        match self {
            Self::Plain | Self::Partitions => Ok(None),
            Self::Pgbouncer => Pooler::start(postgres).map(Some),
            Self::Citus => {
                // Only a start shows whether the extension was built for exactly this version.
                Postgres::options().start_with_citus()?;
                Ok(None)
            }
        }
    }
}
