//! Port for facts about the program and its database.

use std::pin::Pin;

/// Fact about the program or its database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemFact {
    /// Label, such as `Version`.
    pub name: &'static str,
    /// Value as the page shows it.
    pub value: String,
    /// True if the fact is a problem that a person must solve.
    pub is_problem: bool,
}

impl SystemFact {
    /// Creates a fact that is not a problem.
    pub fn new(name: &'static str, value: impl Into<String>) -> Self {
        Self {
            name,
            value: value.into(),
            is_problem: false,
        }
    }

    /// Marks the fact as a problem if `is_problem` is true.
    #[must_use]
    pub fn problem_if(self, is_problem: bool) -> Self {
        Self { is_problem, ..self }
    }
}

/// Future returned by [`SystemStatus::facts`].
pub type SystemFacts<'a> = Pin<Box<dyn Future<Output = Vec<SystemFact>> + Send + 'a>>;

/// Reports facts about the program and its database.
pub trait SystemStatus: Send + Sync {
    /// Returns all facts about the program and its database. If a fact cannot be read, its
    /// `is_problem` is `true` and its `value` is the reason, without secrets.
    fn facts(&self) -> SystemFacts<'_>;
}
