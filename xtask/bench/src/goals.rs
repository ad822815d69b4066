//! The goals: bounds on figures of candidates, in `goals.json`.

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

/// How the figure of a goal follows from those of candidates, which are named.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Formula {
    Plain(Figure, String),
    /// The first candidate's figure divided by the second one's, round by round.
    Ratio(Figure, String, String),
    /// The greatest median of all candidates whose names begin with a text.
    Worst(Figure, String),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Goal {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) formula: Formula,
    pub(crate) bound: Bound,
    /// A better figure that is wished for.
    pub(crate) stretch: Option<f64>,
    /// Why the goal is missed, in at most one line.
    #[serde(default)]
    pub(crate) reason: String,
}

pub(crate) fn all() -> Result<Vec<Goal>, serde_json::Error> {
    serde_json::from_str(include_str!("goals.json"))
}
