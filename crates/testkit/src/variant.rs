//! Ways to run PostgreSQL, with which the tests are repeated.

use std::env;

use crate::error::TestkitError;

/// Environment variable with the variant of the shared cluster; [`Variant::Plain`] if it is not
/// set.
pub const VARIANT_VARIABLE: &str = "PRESSLINE_TEST_VARIANT";

/// A way to run PostgreSQL that the service supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// A single server.
    Plain,
    /// The tenants' tables consist of hash partitions.
    Partitions,
    /// A [`Pooler`](crate::Pooler) between the service and the server.
    Pgbouncer,
    /// The tables are on the nodes of a [`Citus`](crate::Citus) cluster. Each test program starts its
    /// own.
    Citus,
}

/// Preparation of a test's database, see [`Variant::tables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// None: the service creates the tables when it needs them.
    OfService,
    /// The service creates the tables; then the given statements change them.
    Changed(&'static str),
    /// The service creates the tables and places them on the nodes.
    Citus,
}

impl Variant {
    /// All variants, the default first.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Partitions, Self::Pgbouncer, Self::Citus];

    /// Returns the name for command lines and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Partitions => "partitions",
            Self::Pgbouncer => "pgbouncer",
            Self::Citus => "citus",
        }
    }

    /// Returns a short description.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Plain => "one PostgreSQL server",
            Self::Partitions => "tables of tenants in 16 hash partitions",
            Self::Pgbouncer => "pgbouncer in transaction mode",
            Self::Citus => "Citus with a coordinator and two workers",
        }
    }

    /// Returns how a test's database is prepared.
    pub fn tables(self) -> Tables {
        match self {
            Self::Plain | Self::Pgbouncer => Tables::OfService,
            Self::Partitions => Tables::Changed(include_str!("partitions.sql")),
            Self::Citus => Tables::Citus,
        }
    }

    /// Returns the variant with the name `name`.
    ///
    /// # Errors
    /// [`TestkitError::Variant`] if there is none.
    pub fn named(name: &str) -> Result<Self, TestkitError> {
        let mut all = Self::ALL.into_iter();
        all.find(|variant| variant.name() == name)
            .ok_or_else(|| TestkitError::Variant {
                name: name.to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            })
    }

    /// Returns the variant of this run.
    ///
    /// # Errors
    /// Same errors as [`named`](Self::named).
    pub(crate) fn of_run() -> Result<Self, TestkitError> {
        env::var(VARIANT_VARIABLE).map_or(Ok(Self::Plain), |name| Self::named(&name))
    }
}
