//! Problems of a configuration.

use std::fmt;

use super::origin::{Origin, Origins};

/// All problems of a configuration, at least one.
#[derive(Debug, thiserror::Error)]
pub struct SettingsError(pub Vec<Problem>);

/// Mistake in a configuration.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Setting, file or environment variable; empty if `text` contains its name.
    pub(super) location: String,
    text: String,
    origin: Option<Origin>,
}

impl SettingsError {
    /// Creates the error for one `problem` of the setting `key`.
    pub fn new(key: &str, problem: impl fmt::Display) -> Self {
        Self(vec![Problem::new(key, problem)])
    }

    /// Returns an error if there are any `problems`.
    pub fn refuse(problems: Vec<Problem>) -> Result<(), Self> {
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Self(problems)),
        }
    }
}

impl Problem {
    /// Creates the problem `text` of the setting, file or environment variable `location`.
    pub fn new(location: &str, text: impl fmt::Display) -> Self {
        Self {
            location: location.to_owned(),
            text: text.to_string(),
            origin: None,
        }
    }

    /// Adds the file or variable that sets the setting with the problem, if any, to the message.
    #[must_use]
    pub fn locate(self, origins: &Origins) -> Self {
        match origins.0.get(&self.location) {
            Some(origin) => self.set_in(origin),
            None => self,
        }
    }

    /// Ignores [`Origin::Default`]: defaults are right, so another setting must be corrected.
    pub(super) fn set_in(mut self, origin: &Origin) -> Self {
        self.origin = Some(origin.clone()).filter(|origin| *origin != Origin::Default);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.location.is_empty() {
            write!(f, "{}: ", self.location)?;
        }
        f.write_str(&self.text)?;
        self.origin
            .as_ref()
            .map_or(Ok(()), |origin| write!(f, " (set in {origin})"))
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [problem] => write!(f, "configuration: {problem}"),
            problems => {
                write!(f, "configuration: {} problems", problems.len())?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}
