//! The table of commands: which roles can give a command, for items in which statuses, and to which
//! status it moves them.
//!
//! Decisions, the allowed actions in responses, and the diagram and tables of the documentation are
//! all derived from this table.

use std::fmt;

use ItemStatus::{
    Cancelled, CoolingOff, Delivered, Fulfilled, InProduction, NeedAction, OnHold, PendingDesign,
    Ready, RequestChange, Returned,
};

use super::guard::Guard;
use super::status::{ItemStatus, Position, Stage};
use crate::event::Role;

pressline_kit::named! {
    /// A command of a caller, or another cause that moves items.
    #[derive(PartialOrd, Ord)]
    pub enum Command {
        /// The order is placed, or an item is added to it.
        Place = "place",
        /// The print files of an item become complete or incomplete.
        Files = "files",
        /// The cooling-off window of the order's items has ended.
        Due = "due",
        /// The store ends the cooling-off window.
        ProcessNow = "process-now",
        /// Change values of the order.
        Update = "update",
        /// Put an item on hold.
        Hold = "hold",
        /// End a hold.
        Release = "release",
        /// Cancel an item, so that it is not produced.
        Cancel = "cancel",
        /// Request an update, hold or cancellation of items of stage [`Stage::AtWork`].
        Ask = "ask",
        /// Withdraw the pending change.
        WithdrawChange = "withdraw-change",
        /// Approve or refuse the pending change, or ask a question about it.
        Decide = "decide",
        /// Start production.
        Start = "start",
        /// Return an item from `in-production` to `ready`.
        PutBack = "put-back",
        /// Ask the store for an answer.
        Need = "need",
        /// Answer a need, which is a question of the print shop.
        Answer = "answer",
        /// End a need, which is a question to the store: its items continue or are cancelled.
        Resolve = "resolve",
        /// Record a shipment.
        Ship = "ship",
        /// Void a shipment after a mistake.
        Void = "void",
        /// A parcel has arrived.
        Deliver = "deliver",
        /// A parcel has come back.
        Return = "return",
    }
}

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

/// A row of [`TABLE`]: a move of items by a command, and the roles that can give the command.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The command that this row allows.
    pub command: Command,
    /// Statuses from which the item can be moved.
    pub from: Origin,
    /// Possible targets; the command and the order decide which target applies.
    pub to: &'static [Target],
    /// Roles that can give `command`.
    pub by: &'static [Role],
    /// Condition for the move in addition to `from`; [`Guard::Always`] if there is none.
    pub guard: Guard,
    /// `true` if the caller must give a reason.
    pub needs_reason: bool,
}

const EARLY: &[Stage] = &[Stage::Early];
const NOT_DONE: &[Stage] = &[Stage::Early, Stage::AtWork];
const ANY_STAGE: &[Stage] = &[Stage::Early, Stage::AtWork, Stage::Done];
const AT_WORK: &[Stage] = &[Stage::AtWork];
const STORE: &[Role] = &[Role::Store];
const OPERATOR: &[Role] = &[Role::Operator];
const ARRIVALS: &[Role] = &[Role::Operator, Role::Carrier];

/// Each row has command, origin, targets, roles and guard; `reason` at its end sets `needs_reason`.
macro_rules! transitions {
    ($($command:ident: $from:expr => $to:expr, $by:expr, $guard:ident $(, $reason:ident)?;)*) => {
        [$(Transition {
            command: Command::$command,
            from: $from,
            to: $to,
            by: $by,
            guard: Guard::$guard,
            needs_reason: !stringify!($($reason)?).is_empty(),
        }),*]
    };
}

impl Transition {
    /// Returns whether the row applies to an item at this `position`; the guard is not checked.
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

/// Returns the rows of [`TABLE`] that let `role` give `command`.
pub fn rows(command: Command, role: Role) -> impl Iterator<Item = &'static Transition> {
    let rows = TABLE.iter();
    rows.filter(move |row| row.command == command && row.by.contains(&role))
}

/// All moves that commands can make: from which statuses, to which status, and by which roles.
pub const TABLE: &[Transition] = &{
    use Origin::{In, New, Stages};
    use Target::{Before, Returns, Same, To};
    const ANY: &[Role] = &[Role::Store, Role::Operator];
    const FILES_BY: &[Role] = &[Role::Store, Role::Operator, Role::Service];
    const PLACED: &[Target] = &[To(PendingDesign), To(CoolingOff), To(Ready)];
    const DECIDED: &[Target] = &[Returns, Before, To(OnHold), To(Cancelled), To(NeedAction)];
    const AFTER_NEED: &[Target] = &[Returns, To(RequestChange)];
    transitions! {
        Place: New => PLACED, ANY, FilesDecide;
        Files: In(&[PendingDesign]) => &[To(CoolingOff)], FILES_BY, Complete;
        Files: In(&[CoolingOff]) => &[To(PendingDesign)], FILES_BY, Incomplete;
        Due: In(&[CoolingOff]) => &[To(Ready)], &[Role::Service], WindowEnded;
        ProcessNow: In(&[CoolingOff]) => &[To(Ready)], STORE, AllComplete;
        Update: Stages(EARLY, &[]) => &[Same], STORE, Always;
        Update: Stages(NOT_DONE, &[]) => &[Same], OPERATOR, Always, reason;
        Hold: Stages(EARLY, &[OnHold]) => &[To(OnHold)], STORE, Always;
        Hold: Stages(NOT_DONE, &[OnHold]) => &[To(OnHold)], OPERATOR, Always, reason;
        Hold: In(&[OnHold]) => &[Same], STORE, OwnHold;
        Hold: In(&[OnHold]) => &[Same], OPERATOR, OperatorHold;
        Release: In(&[OnHold]) => AFTER_NEED, STORE, OwnHold;
        Release: In(&[OnHold]) => AFTER_NEED, OPERATOR, Always;
        Release: In(&[OnHold]) => AFTER_NEED, &[Role::Service], HoldEnded;
        Cancel: Stages(EARLY, &[]) => &[To(Cancelled)], STORE, Always;
        Cancel: Stages(NOT_DONE, &[]) => &[To(Cancelled)], OPERATOR, NothingShipped, reason;
        Ask: Stages(AT_WORK, &[RequestChange]) => &[To(RequestChange)], STORE, NoChangePending;
        WithdrawChange: In(&[RequestChange, NeedAction]) => &[Before, Returns], STORE, ChangePending;
        WithdrawChange: Stages(ANY_STAGE, &[]) => &[Same], STORE, InPendingChange;
        Decide: In(&[RequestChange]) => DECIDED, OPERATOR, NoQuestion;
        Start: In(&[Ready]) => &[To(InProduction)], OPERATOR, Always;
        PutBack: In(&[InProduction]) => &[To(Ready)], OPERATOR, NothingShipped, reason;
        Need: In(&[Ready, InProduction]) => &[To(NeedAction)], OPERATOR, Always;
        Answer: In(&[NeedAction]) => &[Same, Returns], STORE, Needed;
        Resolve: In(&[NeedAction]) => AFTER_NEED, OPERATOR, Always;
        Resolve: In(&[NeedAction]) => &[To(Cancelled)], OPERATOR, NothingShipped;
        Ship: In(&[Ready, InProduction]) => &[To(InProduction), To(Fulfilled)], OPERATOR, UnitsDecide;
        Void: In(&[Fulfilled]) => &[To(InProduction)], OPERATOR, ParcelUnderWay, reason;
        Deliver: In(&[Fulfilled]) => &[To(Delivered)], ARRIVALS, AllDelivered;
        Return: In(&[Fulfilled, Delivered]) => &[To(Returned)], ARRIVALS, AllArrived;
    }
};
