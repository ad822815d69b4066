//! Errors of finding, starting and using a throw-away PostgreSQL.

use std::error::Error as _;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use thiserror::Error;

/// Reason why a test has no PostgreSQL. Implements `Clone`, because all tests of a process share
/// the same attempt to start it.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum TestkitError {
    /// This machine has neither `initdb` and `postgres`, nor could they be installed.
    #[error(
        "no PostgreSQL server (initdb and postgres, version 13 or newer) was found or could be installed:\n{tried}\n\
         Install one (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; \
         macOS: brew install postgresql), or point PRESSLINE_TEST_PG_BIN at the folder that holds its programs, \
         or let the tests install the system's package (as root): PRESSLINE_TEST_PG_FETCH=system."
    )]
    NoServer {
        /// Attempted folders and installations, one per line.
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
    /// This process runs as root, but PostgreSQL refuses to do so, and there is no other user.
    #[error(
        "PostgreSQL refuses to run as root, and /etc/passwd has neither a user `postgres` nor `nobody`"
    )]
    NoUser,
    /// A system call failed.
    #[error("{what}")]
    Io {
        /// The attempted operation, with its path or program.
        what: String,
        /// Error of the operating system.
        #[source]
        source: Arc<io::Error>,
    },
    /// A program failed.
    #[error("{program} failed:\n{output}")]
    Program {
        /// Name of the program.
        program: String,
        /// Exit status and the end of the output.
        output: String,
    },
    /// The server did not become ready, or did not stop, in time.
    #[error("PostgreSQL did not {action} within {seconds} s; its log:\n{log}")]
    Deadline {
        /// `start` or `stop`.
        action: &'static str,
        /// The time limit, in seconds.
        seconds: u64,
        /// The server's log of this start.
        log: String,
    },
    /// A server or a pooler ended while it started.
    #[error("{program} gave up while starting; its log:\n{log}")]
    Start {
        /// `PostgreSQL` or `pgbouncer`.
        program: &'static str,
        /// Log of this start.
        log: String,
    },
    /// A test's schema of a shared database cannot be copied.
    #[error(
        "PostgreSQL copies databases, not schemas: this test needs a user who may create databases, and no Citus"
    )]
    NoCopy,
    /// This machine has no pgbouncer.
    #[error("there is no `pgbouncer` in PATH")]
    NoPooler,
    /// The installed server cannot load Citus.
    #[error("the PostgreSQL that was found has no extension citus that it can load")]
    NoCitus,
    /// Unknown variant.
    #[error("there is no variant `{name}`, but {}", .known.join(", "))]
    Variant {
        /// The unknown name.
        name: String,
        /// Names of all variants.
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
    /// The server refused a statement or a connection.
    #[error("{what}: {reason}")]
    Sql {
        /// The attempted operation.
        what: String,
        /// Message of the server or of the client library.
        reason: String,
    },
}

/// Prints the message instead of the fields, because `unwrap` in a test shows this form: it
/// contains the remedy and readable logs.
impl fmt::Debug for TestkitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        self.source()
            .map_or(Ok(()), |source| write!(f, ": {source}"))
    }
}

impl TestkitError {
    /// Returns the group of [tools](crate::tool()) that is missing; `None` for other errors.
    pub fn missing_group(&self) -> Option<&'static str> {
        match self {
            Self::NoPooler => Some("pgbouncer"),
            Self::NoCitus => Some("citus"),
            _ => None,
        }
    }

    /// For `map_err`: adds the attempted operation `what` to an I/O error.
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io {
            what,
            source: Arc::new(source),
        }
    }

    /// Error of a failed program, with its status and the end of its output.
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
