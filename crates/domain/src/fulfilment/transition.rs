//! Moves of items by a command: from which statuses, to which status, and by which roles.

use std::fmt;

use super::guard::Guard;
use super::status::{ItemStatus, Position, Stage};
use crate::event::Role;

/// Statuses from which a command can move an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// No status: the command creates the item.
    New,
    /// Each of the listed statuses, and no other.
    In(&'static [ItemStatus]),
    /// Items of the listed stages, also suspended items, except statuses of the second list.
    Stages(&'static [Stage], &'static [ItemStatus]),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("new"),
            Self::In(statuses) => {
                let names: Vec<&str> = statuses.iter().map(|status| status.as_str()).collect();
                f.write_str(&names.join(" or "))
            }
            Self::Stages(stages, but) => {
                let names: Vec<&str> = stages.iter().map(|stage| stage.as_str()).collect();
                f.write_str(&names.join(" or "))?;
                for status in *but {
                    write!(f, ", but not {status}")?;
                }
                Ok(())
            }
        }
    }
}

/// Status that a command moves an item to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The status that the variant contains.
    To(ItemStatus),
    /// The status that the suspended item returns to.
    Returns,
    /// The status that the item had before the pending change was requested.
    Before,
    /// The current status: the item is not moved.
    Same,
}

/// A move of items by a command of [`TABLE`](super::TABLE), and the roles that can give the command.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// Statuses from which the item can be moved.
    pub from: Origin,
    /// Possible targets; the command and the order decide which target applies.
    pub to: &'static [Target],
    /// Roles that can give the command.
    pub by: &'static [Role],
    /// Condition for the move in addition to `from`; [`Guard::Always`] if there is none.
    pub guard: Guard,
    /// `true` if the caller must give a reason.
    pub needs_reason: bool,
}

impl Transition {
    /// Returns whether the move applies to an item at this `position`; the guard is not checked.
    pub fn starts_at(&self, position: Position) -> bool {
        match self.from {
            Origin::New => false,
            Origin::In(statuses) => statuses.contains(&position.status),
            Origin::Stages(stages, except) => {
                stages.contains(&position.stage()) && !except.contains(&position.status)
            }
        }
    }

    /// Returns the only status in `to`; `None` for several, or if it depends on the item.
    pub fn target(&self) -> Option<ItemStatus> {
        match self.to {
            [Target::To(status)] => Some(*status),
            _ => None,
        }
    }
}
