//! Where a value comes from.

use std::fmt;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The embedded defaults.
    Default,
    /// A file, by its path as given.
    File(String),
    /// An environment variable, by its name.
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => f.write_str(path),
            Self::Variable(name) => f.write_str(name),
        }
    }
}
