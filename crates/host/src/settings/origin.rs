//! Origins of the values of settings.

use std::collections::BTreeMap;
use std::fmt;

/// Source that sets the value of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// No file or environment variable sets the value.
    Default,
    /// Path of the file that contains the value, as the user wrote it.
    File(String),
    /// Name of the environment variable.
    Variable(String),
}

/// Origin of each setting, by full names such as `http.listen`.
#[derive(Debug, Clone, Default)]
pub struct Origins(pub(super) BTreeMap<String, Origin>);

impl Origins {
    /// Returns whether the setting `key` has its default.
    pub fn is_default(&self, key: &str) -> bool {
        self.0.get(key) == Some(&Origin::Default)
    }

    /// Iterates over the settings in the order of their full names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Origin)> {
        self.0.iter().map(|(key, origin)| (key.as_str(), origin))
    }

    /// Replaces the origin of the setting `key`.
    pub fn set(&mut self, key: &str, origin: Origin) {
        self.0.insert(key.to_owned(), origin);
    }
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
