//! Input and outcome of decisions: caller, context, change and refusal.

use super::snapshot::{BrokenSnapshot, Snapshot};
use super::status::ItemStatus;
use super::table::{Command, transitions};
use super::transition::{Target, Transition};
use crate::check::checked::Invalid;
use crate::check::{IssueCode, Violation};
use crate::event::{Actor, EventError, NewEvent, Role};
use crate::value::{ItemId, ShipmentId, Timestamp};

/// The party that calls a use case, and its HTTP request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The party that calls; stored as the actor of the events that the call causes.
    pub actor: Actor,
    /// Id of the HTTP request, stored in the call's events; `None` without an HTTP request.
    pub request_id: Option<String>,
}

impl Caller {
    /// Creates a caller without an HTTP request.
    pub fn new(actor: Actor) -> Self {
        Self {
            actor,
            request_id: None,
        }
    }

    /// Returns the context of a command at the time `now`, without a reason, for any version.
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

/// The circumstances of a command: caller, time, reason, and the expected version of the order.
#[derive(Clone, Debug)]
pub struct Context {
    /// The party that gives the command, as the event records it.
    pub actor: Actor,
    /// Time at which the command is given.
    pub now: Timestamp,
    /// Id of the HTTP request, stored in the command's event; `None` without an HTTP request.
    pub request_id: Option<String>,
    /// Reason for the command, in words. `None` is refused by commands that require a reason.
    pub reason: Option<String>,
    /// Version that the order must have; `None` for any version.
    pub version: Option<u32>,
}

impl Context {
    /// Returns the role of the caller.
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

/// Outcome of a legal command.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The order changes, and the change must be written.
    Changed(Box<Change>),
    /// The order already is as requested: nothing is written, and the use case returns the order.
    Unchanged,
}

/// Outcome of a command, or the reason for its refusal.
pub type DecisionResult = Result<Decision, Refusal>;

/// A change of an order. It must be written as a whole, and only at [`Self::expected_version`].
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The order after the change; its `last_sequence` is still the sequence before the change.
    pub order: Snapshot,
    /// The event to store with the change.
    pub event: NewEvent,
    /// Whether the content changes. Otherwise only state, shipments and fee lines are written.
    pub content_changed: bool,
    /// `true` if [`reprice`](super::reprice) must price the order before the change is written.
    pub needs_price: bool,
}

impl Change {
    /// Returns the version that the stored order must have: the version before this change.
    pub fn expected_version(&self) -> u32 {
        self.event.version.saturating_sub(1)
    }
}

/// Reason for refusing a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The status of an item does not allow the command.
    #[error("the command is not allowed in the present status")]
    IllegalTransition {
        /// Status of the first of `items`, or of the order's first item if `items` is empty.
        from: ItemStatus,
        /// Only possible new status; `None` if there are several or none, or if the item decides.
        to: Option<ItemStatus>,
        /// Actions that the caller can take on the first of `items`.
        allowed: Vec<Command>,
        /// All items for which the command is not allowed.
        items: Vec<ItemId>,
    },
    /// Items can no longer be changed, or would have fewer units than shipped; see `reason`.
    #[error("the order can no longer be changed")]
    NotEditable {
        /// The items that can no longer be changed.
        items: Vec<ItemId>,
        /// Reason, in words for people, that `items` can no longer be changed.
        reason: &'static str,
    },
    /// The command requests a change, but another requested change waits for a decision.
    #[error("another change is pending")]
    ChangePending {
        /// Items that the pending change concerns.
        items: Vec<ItemId>,
    },
    /// The order does not have items with the listed ids.
    #[error("the order has no such item")]
    UnknownItem(Vec<ItemId>),
    /// The order has no shipment with the id in the command.
    #[error("the order has no such shipment")]
    UnknownShipment,
    /// Contains the id of another shipment with the reference or, without it, carrier and number.
    #[error("the reference belongs to a shipment with different content")]
    DuplicateShipment(ShipmentId),
    /// The order has another version than the caller expects.
    #[error("the order is at version {current}")]
    VersionConflict {
        /// Version of the stored order, which the caller should read again.
        current: u32,
    },
    /// Values of the command are missing or invalid; contains a violation for each value.
    #[error("the command has {} problems", .0.len())]
    Invalid(Vec<Violation>),
    /// The order would break a rule after the change, because the decision function has a defect.
    #[error("the order would break a rule")]
    Broken(#[source] Invalid<BrokenSnapshot>),
    /// The event would break a rule, because the decision function has a defect.
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

/// Returns the only status to which [`TABLE`](super::TABLE) lets `role` move items with `command`,
/// without rows that keep the status. `None` if there is no such status, or it depends on the item.
pub(super) fn target_of(command: Command, role: Role) -> Option<ItemStatus> {
    let moving = transitions(command, role).filter(|row| row.to != [Target::Same]);
    let mut targets = moving.map(Transition::target);
    let first = targets.next().flatten()?;
    targets.all(|target| target == Some(first)).then_some(first)
}
