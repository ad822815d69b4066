//! The port that says how the program and its database are.

use std::pin::Pin;

/// Something to know about the running program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemFact {
    /// What it is.
    pub name: &'static str,
    /// How it is.
    pub value: String,
    /// Whether a person has to look after it.
    pub is_problem: bool,
}

impl SystemFact {
    /// Returns a fact that is as it should be.
    pub fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: value.into(),
            is_problem: false,
        }
    }

    /// Returns the fact as a problem if it is one.
    #[must_use]
    pub fn problem_if(self, is_problem: bool) -> Self {
        Self { is_problem, ..self }
    }
}

/// The facts, once they are read.
pub type SystemFacts<'a> = Pin<Box<dyn Future<Output = Vec<SystemFact>> + Send + 'a>>;

/// Knows how the program and its database are.
pub trait SystemStatus: Send + Sync {
    /// Returns all facts. What cannot be read is a fact too, with its reason, which contains no secret.
    fn facts(&self) -> SystemFacts<'_>;
}
