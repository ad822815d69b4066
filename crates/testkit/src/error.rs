//! What can go wrong while a throw-away PostgreSQL is found, started or used.

use std::error::Error as _;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use thiserror::Error;

/// Why a test has no PostgreSQL. It can be cloned, because every test of a process shares one
/// attempt to start it.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum TestkitError {
    /// This machine has no server programs, and none could be installed.
    #[error(
        "no PostgreSQL server (initdb and postgres, version 13 or newer) was found or could be installed:\n{tried}\n\
         Install one (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; \
         macOS: brew install postgresql), or point PRESSLINE_TEST_PG_BIN at the folder that holds its programs, \
         or let the tests install the system's package (as root): PRESSLINE_TEST_PG_FETCH=system."
    )]
    NoServer {
        /// What was tried, one line each.
        tried: String,
    },
    /// The server's folder lacks a client program.
    #[error(
        "{program} is missing in {}, where PostgreSQL's server programs are: install the client programs of the same version",
        folder.display()
    )]
    NoClientProgram {
        /// Name of the program, such as `pg_dump`.
        program: &'static str,
        /// Folder that contains `initdb` and `postgres`.
        folder: PathBuf,
    },
    /// This process runs as root, which PostgreSQL refuses, and has no other user to run it as.
    #[error(
        "PostgreSQL refuses to run as root, and /etc/passwd has neither a user `postgres` nor `nobody`"
    )]
    NoUser,
    /// The operating system refused something.
    #[error("{what}")]
    Io {
        /// What was being done, with the path or program it was done to.
        what: String,
        /// The operating system's error.
        #[source]
        source: Arc<io::Error>,
    },
    /// A program ran and reported failure.
    #[error("{program} failed:\n{output}")]
    Program {
        /// The program's name.
        program: String,
        /// Its status and the end of what it printed.
        output: String,
    },
    /// The server did not become ready, or did not stop, in time.
    #[error("PostgreSQL did not {action} within {seconds} s; its log:\n{log}")]
    Deadline {
        /// `start` or `stop`.
        action: &'static str,
        /// The time it was given.
        seconds: u64,
        /// The server's log of this start.
        log: String,
    },
    /// A server or a pooler gave up while it started.
    #[error("{program} gave up while starting; its log:\n{log}")]
    Start {
        /// `PostgreSQL` or `pgbouncer`.
        program: &'static str,
        /// The log of this start.
        log: String,
    },
    /// This machine has no pgbouncer.
    #[error("there is no `pgbouncer` in PATH")]
    NoPooler,
    /// The server that was found cannot load Citus.
    #[error("the PostgreSQL that was found has no extension citus that it can load")]
    NoCitus,
    /// There is no variant with this name.
    #[error("there is no variant `{name}`, but {}", .known.join(", "))]
    Variant {
        /// The name.
        name: String,
        /// The variants.
        known: Vec<&'static str>,
    },
    /// The cluster belongs to another process, and others use it too.
    #[error(
        "cannot {action} a cluster that others share; use Postgres::start() for one of your own"
    )]
    Shared {
        /// `start`, `stop` or `kill`.
        action: &'static str,
    },
    /// The server refused a statement or the connection.
    #[error("{what}: {reason}")]
    Sql {
        /// What was being done.
        what: String,
        /// The server's or the client library's words.
        reason: String,
    },
}

/// In words, since `unwrap` in a test shows this form: with what to do about it, and readable logs.
impl fmt::Debug for TestkitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        self.source()
            .map_or(Ok(()), |source| write!(f, ": {source}"))
    }
}

impl TestkitError {
    /// The group of [tools](crate::tool()) that is missing, if this is the error.
    pub fn missing_group(&self) -> Option<&'static str> {
        match self {
            Self::NoPooler => Some("pgbouncer"),
            Self::NoCitus => Some("citus"),
            _ => None,
        }
    }

    /// For `map_err`: says what was being done when the operating system refused.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io {
            what,
            source: Arc::new(source),
        }
    }

    /// A program that ended with a failure, with its status and what it printed.
    pub(crate) fn program(program: &Path, output: &Output) -> Self {
        Self::Program {
            program: program.display().to_string(),
            output: format!(
                "{}\n{}{}",
                output.status,
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ),
        }
    }
}
