//! Goals: bounds on figures of candidates, in `goals.json`.

use serde::Deserialize;

use crate::figures::Figure;

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

impl Bound {
    pub(crate) fn holds(self, figure: f64) -> bool {
        match self {
            Self::AtLeast(bound) => figure >= bound,
            Self::AtMost(bound) => figure <= bound,
        }
    }
}

/// Computes the figure of a goal from figures of candidates, referred to by name.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Formula {
    Plain(Figure, String),
    /// Figure of the first candidate divided by the second's, round by round.
    Ratio(Figure, String, String),
    /// Greatest median of all candidates with names that begin with a prefix.
    Worst(Figure, String),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Goal {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) formula: Formula,
    pub(crate) bound: Bound,
    /// Desirable value beyond `bound`.
    pub(crate) stretch: Option<f64>,
    /// Single line with the reason why the goal is missed.
    #[serde(default)]
    pub(crate) reason: String,
}

pub(crate) fn all() -> Result<Vec<Goal>, serde_json::Error> {
    serde_json::from_str(include_str!("goals.json"))
}
