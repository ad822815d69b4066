//! A lane while it runs.

mod ahead;
mod held;
mod shared;
mod turn;

pub(crate) use shared::{Shared, TurnError};
pub(crate) use turn::{TurnEnd, turn};
