//! Settings from embedded defaults, a file and the environment. A [`Schema`] names the settings.

// Modules import only modules of the groups above them.
mod problem;

mod keys;
mod origin;

mod print;
mod types;

mod sources;

use std::collections::HashMap;
use std::path::Path;

use serde::de::DeserializeOwned;

pub use origin::{Origin, Origins};
pub use problem::{Problem, SettingsError};
pub use sources::environment;

pub(crate) use print::print;

/// Settings of a program. A full name consists of a section and a key, such as `http.listen`.
#[derive(Debug)]
pub struct Schema {
    /// Default of each setting in TOML. It also determines the type of the setting.
    pub defaults: &'static str,
    /// Full name, minimum and maximum of each setting with a number or a list of numbers.
    pub bounds: &'static [(&'static str, i64, i64)],
    /// Full names of settings that accept only certain words, each with its words.
    pub choices: &'static [(&'static str, &'static [&'static str])],
    /// Prefixes of the full names of secret settings. Messages do not show their values.
    pub secrets: &'static [&'static str],
    /// Full names of settings that only earlier versions had, each with a hint to show if it is
    /// still set.
    pub removed: &'static [(&'static str, &'static str)],
}

impl Schema {
    /// Reads the defaults, then `file`, then the environment `variables`; a later source overrides
    /// an earlier one. A setting with a wrong value has its default, and its problem is added to
    /// `problems`.
    ///
    /// # Errors
    /// Returns an error if `T` lacks a setting or has a setting without a default.
    pub fn read<T: DeserializeOwned>(
        &self,
        file: Option<&Path>,
        variables: HashMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> Result<(T, Origins), SettingsError> {
        let unusable = |error: config::ConfigError| SettingsError::new("", error);
        let values = sources::read(self, file, variables, problems).map_err(unusable)?;
        let settings = sources::sections(&values).try_deserialize();
        let origins = values.into_iter().map(|(key, (_, origin))| (key, origin));
        Ok((settings.map_err(unusable)?, Origins(origins.collect())))
    }
}
