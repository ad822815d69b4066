//! The table of commands: from which statuses each may be given, by whom, and where it leads.
//!
//! Decisions, the actions that callers may take, the diagram and the tables in the documentation
//! all read this table.

use std::fmt;

use ItemStatus::{
    Cancelled, CoolingOff, Delivered, Fulfilled, InProduction, NeedAction, OnHold, PendingDesign,
    Ready, RequestChange, Returned,
};

use super::guard::Guard;
use super::status::{ItemStatus, Position, Stage};
use crate::event::Role;

pressline_kit::named! {
    /// A command, or what else moves an item.
    #[derive(PartialOrd, Ord)]
    pub enum Command {
        /// The order is placed, or an item is added to it.
        Place = "place",
        /// The print files of an item become complete or incomplete.
        Files = "files",
        /// The window of the order's items has ended.
        Due = "due",
        /// The store ends the window.
        ProcessNow = "process-now",
        /// Change values of the order.
        Update = "update",
        /// Stop an item until it is released.
        Hold = "hold",
        /// End a hold.
        Release = "release",
        /// Do not produce an item.
        Cancel = "cancel",
        /// Ask for an update, a hold or a cancellation of items at work.
        Ask = "ask",
        /// Take back what was asked for.
        WithdrawChange = "withdraw-change",
        /// Approve or refuse what was asked for, or ask back.
        Decide = "decide",
        /// Begin production.
        Start = "start",
        /// Undo the beginning of production.
        PutBack = "put-back",
        /// Ask the store for something.
        Need = "need",
        /// Answer what the shop asked for.
        Answer = "answer",
        /// End a need.
        Resolve = "resolve",
        /// Hand units to the carrier.
        Ship = "ship",
        /// Undo a shipment.
        Void = "void",
        /// Parcels have arrived.
        Deliver = "deliver",
        /// Parcels have come back.
        Return = "return",
    }
}

/// Where an item must be for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere: the item is new.
    New,
    /// In one of these statuses.
    In(&'static [ItemStatus]),
    /// In one of these stages, aside or not, but in none of these statuses.
    Stages(&'static [Stage], &'static [ItemStatus]),
}

impl fmt::Display for Origin {
    /// Writes the statuses as people read them: `ready or in-production`.
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

/// Where a command moves an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To this status.
    To(ItemStatus),
    /// To the status that it returns to.
    Returns,
    /// To the status that it had when the store asked for the pending change.
    Before,
    /// Nowhere: the status stays.
    Same,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The command.
    pub command: Command,
    /// Where the item must be.
    pub from: Origin,
    /// Where it can go. The command and the order say which of these it is.
    pub to: &'static [Target],
    /// Who may give the command.
    pub by: &'static [Role],
    /// What else must hold.
    pub guard: Guard,
    /// True where a reason is required.
    pub needs_reason: bool,
}

const EARLY: &[Stage] = &[Stage::Early];
const NOT_DONE: &[Stage] = &[Stage::Early, Stage::AtWork];
const ANY_STAGE: &[Stage] = &[Stage::Early, Stage::AtWork, Stage::Done];
const AT_WORK: &[Stage] = &[Stage::AtWork];
const STORE: &[Role] = &[Role::Store];
const OPERATOR: &[Role] = &[Role::Operator];
const ARRIVALS: &[Role] = &[Role::Operator, Role::Carrier];

/// Makes the rows of the table. `reason` at the end requires a reason from the caller.
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
    /// True where an item at this position can be moved by this row, apart from its guard.
    pub fn starts_at(&self, position: Position) -> bool {
        match self.from {
            Origin::New => false,
            Origin::In(statuses) => statuses.contains(&position.status),
            Origin::Stages(stages, except) => {
                stages.contains(&position.stage()) && !except.contains(&position.status)
            }
        }
    }

    /// Returns the one status that the row leads to; `None` where there are several, or where it
    /// depends on the item.
    pub fn target(&self) -> Option<ItemStatus> {
        match self.to {
            [Target::To(status)] => Some(*status),
            _ => None,
        }
    }
}

/// Returns the rows of a command that this kind of actor may use.
pub fn rows(command: Command, role: Role) -> impl Iterator<Item = &'static Transition> {
    let rows = TABLE.iter();
    rows.filter(move |row| row.command == command && row.by.contains(&role))
}

/// All rows.
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
