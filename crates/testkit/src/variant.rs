//! Ways to run PostgreSQL that the tests are repeated with.

use std::env;

use crate::error::TestkitError;

/// Names the variant with which the test programs of a run use the shared cluster; none is
/// [`Variant::Plain`].
pub const VARIANT_VARIABLE: &str = "PRESSLINE_TEST_VARIANT";

/// A way to run PostgreSQL that the service supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// One server, as it is installed.
    Plain,
    /// The tables of tenants consist of hash partitions.
    Partitions,
    /// A [`Pooler`](crate::Pooler) between the service and the server.
    Pgbouncer,
    /// The tables are distributed over the nodes of a [`Citus`](crate::Citus) cluster, which each test
    /// program starts.
    Citus,
}

/// What happens to a new database before a test gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// Nothing: the service makes the tables when it needs them.
    OfService,
    /// The service makes the tables, and these statements change them.
    Changed(&'static str),
    /// The service makes the tables and distributes them.
    Distributed,
}

impl Variant {
    /// All of them; the usual one comes first.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Partitions, Self::Pgbouncer, Self::Citus];

    /// How command lines and messages name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Partitions => "partitions",
            Self::Pgbouncer => "pgbouncer",
            Self::Citus => "citus",
        }
    }

    /// What it consists of, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Plain => "one PostgreSQL server",
            Self::Partitions => "tables of tenants in 16 hash partitions",
            Self::Pgbouncer => "pgbouncer in transaction mode",
            Self::Citus => "Citus with a coordinator and two workers",
        }
    }

    /// How a test's database is prepared.
    pub fn tables(self) -> Tables {
        match self {
            Self::Plain | Self::Pgbouncer => Tables::OfService,
            Self::Partitions => Tables::Changed(include_str!("partitions.sql")),
            Self::Citus => Tables::Distributed,
        }
    }

    /// The variant with this name.
    ///
    /// # Errors
    /// [`TestkitError::Variant`] where there is none.
    pub fn named(name: &str) -> Result<Self, TestkitError> {
        let mut all = Self::ALL.into_iter();
        all.find(|variant| variant.name() == name)
            .ok_or_else(|| TestkitError::Variant {
                name: name.to_owned(),
                known: Self::ALL.map(Self::name).to_vec(),
            })
    }

    /// The variant of this run.
    ///
    /// # Errors
    /// As [`named`](Self::named).
    pub(crate) fn of_run() -> Result<Self, TestkitError> {
        env::var(VARIANT_VARIABLE).map_or(Ok(Self::Plain), |name| Self::named(&name))
    }
}
