//! Steps of production: their names, and the order in which a unit passes them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::limits;

/// Name of a step: 1 to [`limits::STEP_NAME`] characters of a-z, 0-9 and hyphens, beginning with a
/// letter.
///
/// Progress is stored by step name, so that a new configuration of steps does not change the
/// meaning of stored numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepName(String);

/// Error for a string that is not a step name. Contains the first 40 characters of the string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` cannot be a step: its name must have 1 to {limit} characters from a-z, 0-9 and -, and must begin with a letter",
    limit = limits::STEP_NAME
)]
pub struct InvalidStepName(String);

impl StepName {
    /// Returns the name as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StepName {
    type Err = InvalidStepName;

    fn from_str(text: &str) -> Result<Self, InvalidStepName> {
        let fits = (1..=limits::STEP_NAME).contains(&text.len());
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let begins_right = text.bytes().next().is_some_and(|b| b.is_ascii_lowercase());
        if fits && begins_right && text.bytes().all(is_plain) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidStepName(text.chars().take(40).collect()))
        }
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Steps of a print shop, first to last: 1 to [`limits::STEPS`] different names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(Vec<StepName>);

/// Error for names that are not valid [`Steps`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSteps {
    /// There are no names, or more than [`limits::STEPS`]. Contains the number of names.
    #[error("{0} steps; there must be 1 to {limit}", limit = limits::STEPS)]
    Number(usize),
    /// A name is not a valid [`StepName`].
    #[error(transparent)]
    Name(#[from] InvalidStepName),
    /// The same name occurs twice.
    #[error("the step `{0}` occurs twice")]
    Repeated(StepName),
}

impl Steps {
    /// Returns the steps with the given `names`, first to last.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, InvalidSteps> {
        if !(1..=limits::STEPS).contains(&names.len()) {
            return Err(InvalidSteps::Number(names.len()));
        }
        let (mut steps, mut known) = (Vec::with_capacity(names.len()), BTreeSet::new());
        for name in names {
            let step = StepName::from_str(name.as_ref())?;
            if !known.insert(step.clone()) {
                return Err(InvalidSteps::Repeated(step));
            }
            steps.push(step);
        }
        Ok(Self(steps))
    }

    /// Returns the steps, first to last.
    pub fn names(&self) -> &[StepName] {
        &self.0
    }

    /// Returns the position of the step `name`, from 0; `None` if no step has this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|step| step.as_str() == name)
    }
}

impl Default for Steps {
    fn default() -> Self {
        let names = ["print", "check", "pack"];
        Self(names.map(|name| StepName(name.to_owned())).into())
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(StepName::as_str).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_few_plain_words_each_once() {
        let usual = Steps::parse(&["print", "check", "pack"]);
        assert_eq!(usual, Ok(Steps::default()));
        assert_eq!(Steps::default().to_string(), "print, check, pack");
        assert_eq!(Steps::default().position("check"), Some(1));
        assert_eq!(Steps::default().position("Check"), None);
        assert_eq!(Steps::parse::<&str>(&[]), Err(InvalidSteps::Number(0)));
        assert_eq!(
            Steps::parse(&["a", "b", "c", "d", "e", "f", "g", "h", "i"]),
            Err(InvalidSteps::Number(9))
        );
        let repeated = Steps::parse(&["print", "pack", "print"]);
        assert!(matches!(repeated, Err(InvalidSteps::Repeated(step)) if step.as_str() == "print"));
        for wrong in [
            "",
            "Print",
            "2nd",
            "-a",
            "a b",
            "é",
            "abcdefghijklmnopqrstu",
        ] {
            let steps = Steps::parse(&[wrong]);
            assert!(matches!(steps, Err(InvalidSteps::Name(_))), "{wrong}");
        }
        assert!(Steps::parse(&["heat-press-2"]).is_ok());
    }
}
