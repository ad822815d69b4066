//! Deficiencies of a database: what the service relies on and the database does not have.

use std::fmt;

/// Deficiency of a database, found by an examination before the database is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deficiency {
    /// Whether the service may use the database nevertheless.
    pub severity: Severity,
    /// The deficiency, its consequence and the remedy, without secrets.
    pub text: String,
}

/// Consequence of a deficiency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The database must not be used: calls would fail, or orders would be lost or damaged.
    Refusal,
    /// The database can be used, but operators should know.
    Warning,
}

/// Purpose for which a database is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseUse {
    /// To apply the migrations that it lacks.
    Migrate,
    /// To serve requests. Its migrations are applied.
    Serve,
}

impl Deficiency {
    /// Creates a deficiency that forbids the use of the database.
    pub fn refusal(text: impl Into<String>) -> Self {
        Self {
            severity: Severity::Refusal,
            text: text.into(),
        }
    }

    /// Creates a deficiency that operators should know.
    pub fn warning(text: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            text: text.into(),
        }
    }
}

impl fmt::Display for Deficiency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
