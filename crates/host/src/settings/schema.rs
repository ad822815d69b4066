//! Names, defaults and bounds of settings.

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
    /// Full names of settings of earlier versions, each with a hint to show if it is still set.
    pub removed: &'static [(&'static str, &'static str)],
}
