//! What a decision is made of and what it returns: the caller, the outcome, the reasons to refuse.

use super::allowed::Action;
use super::snapshot::{BrokenSnapshot, Snapshot};
use super::status::ItemStatus;
use super::table::{Command, Target, Transition};
use crate::checked::Invalid;
use crate::event::{Actor, EventError, NewEvent, Role};
use crate::id::{ItemId, ShipmentId};
use crate::report::{IssueCode, Violation};
use crate::time::Timestamp;

/// Who calls a use case.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who changes the order.
    pub actor: Actor,
    /// The request.
    pub request_id: Option<String>,
}

impl Caller {
    /// Returns the context of a command without a reason, for any version of the order.
    pub fn at(&self, now: Timestamp) -> Context {
        Context {
            actor: self.actor,
            now,
            request_id: self.request_id.clone(),
            reason: None,
            version: None,
        }
    }
}

/// Who gives a command, and when.
#[derive(Clone, Debug)]
pub struct Context {
    /// The caller.
    pub actor: Actor,
    /// Now.
    pub now: Timestamp,
    /// The request.
    pub request_id: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The version that the order must have.
    pub version: Option<u32>,
}

impl Context {
    /// Returns the kind of caller.
    pub fn role(&self) -> Role {
        self.actor.role()
    }

    pub(super) fn check_reason(&self, row: &Transition) -> Result<(), Refusal> {
        if row.needs_reason && self.reason.is_none() {
            return Err(Refusal::required("reason", "why, in words"));
        }
        Ok(())
    }
}

/// The outcome of a command that is legal.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The order changes.
    Changed(Box<Change>),
    /// What the command asks for is so already. Nothing is written.
    Unchanged,
}

/// The outcome of a command, or why it is refused.
pub type DecisionResult = Result<Decision, Refusal>;

/// A change of an order, to be written at once and as a whole, if the order still has the version
/// before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The order after the change. Its latest event has no sequence yet.
    pub order: Snapshot,
    /// The event.
    pub event: NewEvent,
    /// True where the content changes. Otherwise only state, shipments and lines of operators are
    /// written.
    pub content_changed: bool,
    /// True where the order is to be priced again, with [`reprice`](super::reprice), before the
    /// change is written.
    pub needs_price: bool,
}

impl Change {
    /// Returns the version that the stored order must have.
    pub fn expected_version(&self) -> u32 {
        self.event.version.saturating_sub(1)
    }
}

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The command cannot be given in the present status of an item.
    #[error("the command is not allowed in the present status")]
    IllegalTransition {
        /// Status of the first item that cannot be moved.
        from: ItemStatus,
        /// Where the command leads; `None` if that depends on the item or the command.
        to: Option<ItemStatus>,
        /// What the caller may do with that item.
        allowed: Vec<Action>,
        /// The items that cannot be moved.
        items: Vec<ItemId>,
    },
    /// Items can no longer be changed, or a change no longer fits.
    #[error("the order can no longer be changed")]
    NotEditable {
        /// The items.
        items: Vec<ItemId>,
        /// Why not, for people.
        reason: &'static str,
    },
    /// Another change is pending.
    #[error("another change is pending")]
    ChangePending {
        /// The items that it concerns.
        items: Vec<ItemId>,
    },
    /// The order has no such item.
    #[error("the order has no such item")]
    UnknownItem(Vec<ItemId>),
    /// The order has no such shipment.
    #[error("the order has no such shipment")]
    UnknownShipment,
    /// A shipment with the same reference has other content.
    #[error("a shipment with this reference has other content")]
    DuplicateShipment(ShipmentId),
    /// The order is at another version than the caller expects.
    #[error("the order is at version {current}")]
    VersionConflict {
        /// The version it is at.
        current: u32,
    },
    /// A value of the command is missing or wrong.
    #[error("the command has {} problems", .0.len())]
    Invalid(Vec<Violation>),
    /// The order after the change would break a rule. A defect of the decision.
    #[error("the order would break a rule")]
    Broken(#[source] Invalid<BrokenSnapshot>),
    /// The event would break a rule. A defect of the decision.
    #[error("the event would break a rule")]
    BrokenEvent(#[source] Invalid<EventError>),
}

impl Refusal {
    pub(super) fn required(field: &str, what: &str) -> Self {
        Self::invalid(field, IssueCode::Required, format!("required: {what}"))
    }

    pub(crate) fn invalid(field: &str, code: IssueCode, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Violation {
            field: field.to_owned(),
            code,
            message: message.into(),
        }])
    }
}

/// Returns the one status that `command` leads to; `None` if there are several or none. Rows that
/// move no item do not count.
pub(super) fn target_of(command: Command, role: Role) -> Option<ItemStatus> {
    let rows = super::table::rows(command, role);
    let moving = rows.filter(|row| row.to != [Target::Same]);
    let mut targets = moving.map(Transition::target);
    let first = targets.next().flatten()?;
    targets.all(|target| target == Some(first)).then_some(first)
}
