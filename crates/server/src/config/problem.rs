//! Problems of a configuration.

use std::fmt;

use pressline_cli::CommandError;

use super::origin::Origin;

/// All problems of a configuration, at least one.
#[derive(Debug, thiserror::Error)]
pub(crate) struct ConfigError(pub(super) Vec<Problem>);

#[derive(Debug, Clone)]
pub(super) struct Problem {
    /// Name of a setting, file or environment variable; empty if `text` contains the name.
    pub(super) location: String,
    text: String,
    origin: Option<Origin>,
}

impl Problem {
    pub(super) fn new(location: &str, text: impl fmt::Display) -> Self {
        Self {
            location: location.to_owned(),
            text: text.to_string(),
            origin: None,
        }
    }

    /// Adds `origin`, the file or variable to correct, to the message. [`Origin::Default`] is
    /// ignored: defaults are right, so another setting must be corrected.
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

impl fmt::Display for ConfigError {
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

impl From<ConfigError> for CommandError {
    fn from(error: ConfigError) -> Self {
        Self::Usage(error.to_string())
    }
}

pub(super) fn wrong(key: &'static str, problem: impl fmt::Display) -> ConfigError {
    ConfigError(vec![Problem::new(key, problem)])
}
