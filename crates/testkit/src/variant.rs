//! Ways to run PostgreSQL that the tests are repeated with.

use std::env;

use crate::TestkitError;

/// Names the variant with which the test programs of a run use the shared cluster; none is
/// [`Variant::PLAIN`].
pub const VARIANT_VARIABLE: &str = "PRESSLINE_TEST_VARIANT";

/// A way to run PostgreSQL that the service supports.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// How command lines and messages name it.
    pub name: &'static str,
    /// What it consists of, in a few words.
    pub summary: &'static str,
    /// Whether the tests connect through a [`Pooler`](crate::Pooler).
    pub is_pooled: bool,
    /// Whether the tables are distributed over the nodes of a [`Citus`](crate::Citus) cluster, which
    /// each test program starts.
    pub is_distributed: bool,
    /// SQL that changes the tables of a new database after the service has migrated it.
    pub after_migration: Option<&'static str>,
    /// What the service's configuration adds: keys and values.
    pub settings: &'static [(&'static str, &'static str)],
}

impl Variant {
    /// PostgreSQL as it is installed.
    pub const PLAIN: Self = Self {
        name: "plain",
        summary: "one PostgreSQL server",
        is_pooled: false,
        is_distributed: false,
        after_migration: None,
        settings: &[],
    };

    /// The variants besides the plain one.
    pub const OTHERS: [Self; 3] = [
        Self {
            name: "partitions",
            summary: "tables of tenants in 16 hash partitions",
            after_migration: Some(include_str!("partitions.sql")),
            ..Self::PLAIN
        },
        Self {
            name: "pgbouncer",
            summary: "pgbouncer in transaction mode",
            is_pooled: true,
            settings: &[
                ("database.transaction_pooling", "true"),
                ("database.prepared_statements", "false"),
            ],
            ..Self::PLAIN
        },
        Self {
            name: "citus",
            summary: "Citus with a coordinator and two workers",
            is_distributed: true,
            ..Self::PLAIN
        },
    ];

    /// The variant with this name.
    ///
    /// # Errors
    /// [`TestkitError::Variant`] where there is none.
    pub fn named(name: &str) -> Result<&'static Self, TestkitError> {
        const ALL: [&[Variant]; 2] = [&[Variant::PLAIN], &Variant::OTHERS];
        let all = || ALL.into_iter().flatten();
        all()
            .find(|variant| variant.name == name)
            .ok_or_else(|| TestkitError::Variant {
                name: name.to_owned(),
                known: all().map(|variant| variant.name).collect(),
            })
    }

    /// The variant of this run.
    ///
    /// # Errors
    /// As [`named`](Self::named).
    pub(crate) fn of_run() -> Result<&'static Self, TestkitError> {
        env::var(VARIANT_VARIABLE).map_or(Ok(&Self::PLAIN), |name| Self::named(&name))
    }

    /// Whether a new database is prepared by migrating and changing its tables.
    #[must_use]
    pub fn changes_tables(&self) -> bool {
        self.is_distributed || self.after_migration.is_some()
    }

    /// The value of a setting, where the variant sets it.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&'static str> {
        let setting = self.settings.iter().find(|(name, _)| *name == key);
        setting.map(|(_, value)| *value)
    }
}
