//! The cluster that the test programs of a run share.

use std::env;
use std::sync::OnceLock;

#[cfg(feature = "databases")]
use crate::citus::Citus;
use crate::cluster::Postgres;
use crate::error::TestkitError;
use crate::pooler::POOLER_VARIABLE;
use crate::variant::Variant;

/// Environment variable with the URL of a running cluster that all test programs share, including a
/// database. The URL's user must be allowed to create databases.
pub const SHARED_URL_VARIABLE: &str = "PRESSLINE_TEST_POSTGRES_URL";

impl Postgres {
    /// Returns the cluster of `PRESSLINE_TEST_POSTGRES_URL`; without the variable, a cluster that
    /// all tests of this process share.
    ///
    /// # Errors
    /// Same errors as [`PostgresOptions::start`](crate::PostgresOptions::start). Every later call
    /// returns the same error.
    pub fn shared() -> Result<&'static Self, TestkitError> {
        // Never dropped: the reaper stops it when the process ends.
        static SHARED: OnceLock<Result<Postgres, TestkitError>> = OnceLock::new();
        SHARED
            .get_or_init(|| match env::var(SHARED_URL_VARIABLE) {
                Ok(url) => Self::of_run(url),
                Err(_) => Self::start(),
            })
            .as_ref()
            .map_err(Clone::clone)
    }

    fn of_run(url: String) -> Result<Self, TestkitError> {
        let variant = Variant::of_run()?;
        // A Citus database needs its own nodes; `url` points to a plain server.
        #[cfg(feature = "databases")]
        if variant == Variant::Citus {
            let url = Citus::shared()?.url().to_owned();
            return Ok(Self::at(url).in_variant(variant, None));
        }
        Ok(Self::at(url).in_variant(variant, env::var(POOLER_VARIABLE).ok()))
    }
}
