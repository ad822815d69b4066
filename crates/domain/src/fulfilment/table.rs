//! The table of commands: the only place that states a command's name, its moves, its fields and
//! its texts for people.
//!
//! Decisions, the allowed actions in responses, requests and their schemas, the forms of the
//! console, and the diagram and tables of the documentation are all derived from this table.

use ItemStatus::{
    Cancelled, CoolingOff, Delivered, Fulfilled, InProduction, NeedAction, OnHold, PendingDesign,
    Ready, RequestChange, Returned,
};
use MoveField::{Amount, Code, KeepFees, Reason, Text, To as Outcome, Until};
use Origin::{In, New, Stages};
use Target::{Before, Returns, Same, To};

use super::guard::Guard;
use super::move_rule::{MoveDecision, MoveField, MoveRule};
use super::status::{ItemStatus, Stage};
use super::transition::{Origin, Target, Transition};
use crate::event::Role;

/// A row of [`TABLE`]: everything about a command that its decision does not compute.
#[derive(Clone, Copy, Debug)]
pub struct CommandRule {
    /// The command of this row.
    pub command: Command,
    /// How allowed actions list the command; `None` if they do not.
    pub offer: Option<Offer>,
    /// How operators give the command.
    pub operators: OperatorUse,
    /// All moves that the command can make.
    pub transitions: &'static [Transition],
}

/// How allowed actions list a command.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// Position among the actions of a caller, in steps of 10; unique.
    pub position: u8,
    /// Label of the action for operators, such as on a button.
    pub label: &'static str,
    /// Whether a store can request the command for items that it can no longer change by itself.
    pub by_request: bool,
}

/// How operators give a command.
#[derive(Clone, Copy, Debug)]
pub enum OperatorUse {
    /// Operators do not give the command by this name.
    None,
    /// For items of many orders, with the operation `moveOrders`.
    Move(MoveRule),
    /// For one order, with the operation `updateOrder`.
    Update,
    /// For one order, with the operation `decideChange`.
    Decide,
    /// For one order, with the operation `createShipment`.
    Ship,
}

const fn offer(position: u8, label: &'static str) -> Option<Offer> {
    let by_request = false;
    Some(Offer {
        position,
        label,
        by_request,
    })
}

const fn offer_or_request(position: u8, label: &'static str) -> Option<Offer> {
    let by_request = true;
    Some(Offer {
        position,
        label,
        by_request,
    })
}

macro_rules! column {
    (; $default:expr) => {
        $default
    };
    ($value:expr; $default:expr) => {
        $value
    };
}

/// Defines [`Command`] and its rows. After the columns `offer` and `operators`, which a row can leave
/// out, it has a line for each move: origin, targets, roles and guard. `reason` at the end of a line
/// sets `needs_reason`.
macro_rules! commands {
    ($(
        $(#[$doc:meta])+
        $command:ident = $name:literal {
            $(offer: $offer:expr;)?
            $(operators: $operators:expr;)?
            $(@ $from:expr => $to:expr, $by:expr, $guard:ident $(, $reason:ident)?;)+
        }
    )+) => {
        pressline_kit::named! {
            /// A command of a caller, or another cause that moves items.
            #[derive(PartialOrd, Ord)]
            pub enum Command {
                $($(#[$doc])+ $command = $name,)+
            }
        }

        impl Command {
            /// Returns the row of the command in [`TABLE`].
            pub const fn rule(self) -> &'static CommandRule {
                match self {
                    $(Self::$command => {
                        const RULE: CommandRule = CommandRule {
                            command: Command::$command,
                            offer: column!($($offer)?; None),
                            operators: column!($($operators)?; OperatorUse::None),
                            transitions: &[$(Transition {
                                from: $from,
                                to: $to,
                                by: $by,
                                guard: Guard::$guard,
                                needs_reason: !stringify!($($reason)?).is_empty(),
                            }),+],
                        };
                        &RULE
                    })+
                }
            }
        }

        /// All commands, with the moves that they can make: from which statuses, to which status,
        /// and by which roles.
        pub const TABLE: [&CommandRule; Command::ALL.len()] = [$(Command::$command.rule()),+];
    };
}

const EARLY: &[Stage] = &[Stage::Early];
const NOT_DONE: &[Stage] = &[Stage::Early, Stage::AtWork];
const ANY_STAGE: &[Stage] = &[Stage::Early, Stage::AtWork, Stage::Done];
const AT_WORK: &[Stage] = &[Stage::AtWork];
const STORE: &[Role] = &[Role::Store];
const OPERATOR: &[Role] = &[Role::Operator];
const SERVICE: &[Role] = &[Role::Service];
const ANY: &[Role] = &[Role::Store, Role::Operator];
const FILES_BY: &[Role] = &[Role::Store, Role::Operator, Role::Service];
const ARRIVALS: &[Role] = &[Role::Operator, Role::Carrier];
const PLACED: &[Target] = &[To(PendingDesign), To(CoolingOff), To(Ready)];
const DECIDED: &[Target] = &[Returns, Before, To(OnHold), To(Cancelled), To(NeedAction)];
const AFTER_NEED: &[Target] = &[Returns, To(RequestChange)];

commands! {
    /// The order is placed, or an item is added to it.
    Place = "place" {
        @ New => PLACED, ANY, FilesDecide;
    }
    /// The print files of an item become complete or incomplete.
    Files = "files" {
        @ In(&[PendingDesign]) => &[To(CoolingOff)], FILES_BY, Complete;
        @ In(&[CoolingOff]) => &[To(PendingDesign)], FILES_BY, Incomplete;
    }
    /// The cooling-off window of the order's items has ended.
    Due = "due" {
        @ In(&[CoolingOff]) => &[To(Ready)], SERVICE, WindowEnded;
    }
    /// The store ends the cooling-off window, so that items become `ready` immediately.
    ProcessNow = "process-now" {
        offer: offer(60, "End the window");
        @ In(&[CoolingOff]) => &[To(Ready)], STORE, AllComplete;
    }
    /// Change values of the order.
    Update = "update" {
        offer: offer_or_request(10, "Edit order");
        operators: OperatorUse::Update;
        @ Stages(EARLY, &[]) => &[Same], STORE, Always;
        @ Stages(NOT_DONE, &[]) => &[Same], OPERATOR, Always, reason;
    }
    /// Replace the label of a label order.
    UpdateLabel = "update-label" {
        offer: offer_or_request(20, "Change the label");
        @ Stages(EARLY, &[]) => &[Same], STORE, HasLabel;
    }
    /// Put an item on hold, so that it is not produced until the hold ends.
    Hold = "hold" {
        offer: offer_or_request(40, "Hold");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Hold,
            fields: &[Reason, Until],
            done: "On hold.",
            bulk: Some("put on hold"),
        });
        @ Stages(EARLY, &[OnHold]) => &[To(OnHold)], STORE, Always;
        @ Stages(NOT_DONE, &[OnHold]) => &[To(OnHold)], OPERATOR, Always, reason;
        @ In(&[OnHold]) => &[Same], STORE, OwnHold;
        @ In(&[OnHold]) => &[Same], OPERATOR, OperatorHold;
    }
    /// End a hold, so that the item returns to its previous status.
    Release = "release" {
        offer: offer(50, "Release");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Release,
            fields: &[Reason],
            done: "Released.",
            bulk: None,
        });
        @ In(&[OnHold]) => AFTER_NEED, STORE, OwnHold;
        @ In(&[OnHold]) => AFTER_NEED, OPERATOR, Always;
        @ In(&[OnHold]) => AFTER_NEED, SERVICE, HoldEnded;
    }
    /// Cancel an item, so that it is not produced.
    Cancel = "cancel" {
        offer: offer_or_request(30, "Cancel items");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Cancel,
            fields: &[Reason, KeepFees],
            done: "Cancelled.",
            bulk: None,
        });
        @ Stages(EARLY, &[]) => &[To(Cancelled)], STORE, Always;
        @ Stages(NOT_DONE, &[]) => &[To(Cancelled)], OPERATOR, NothingShipped, reason;
    }
    /// Request an update, hold or cancellation of items of stage [`Stage::AtWork`].
    Ask = "ask" {
        @ Stages(AT_WORK, &[RequestChange]) => &[To(RequestChange)], STORE, NoChangePending;
    }
    /// Withdraw the pending change, which the print shop has not decided yet.
    WithdrawChange = "withdraw-change" {
        offer: offer(80, "Withdraw the request");
        @ In(&[RequestChange, NeedAction]) => &[Before, Returns], STORE, ChangePending;
        @ Stages(ANY_STAGE, &[]) => &[Same], STORE, InPendingChange;
    }
    /// Approve or refuse the pending change, or ask a question about it.
    Decide = "decide" {
        offer: offer(130, "Decide the request");
        operators: OperatorUse::Decide;
        @ In(&[RequestChange]) => DECIDED, OPERATOR, NoQuestion;
    }
    /// Start production.
    Start = "start" {
        offer: offer(90, "Start");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Plain,
            fields: &[Reason],
            done: "Started.",
            bulk: Some("started"),
        });
        @ In(&[Ready]) => &[To(InProduction)], OPERATOR, Always;
    }
    /// Return an item from `in-production` to `ready`.
    PutBack = "put-back" {
        offer: offer(100, "Put back");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Plain,
            fields: &[Reason],
            done: "Put back.",
            bulk: Some("put back"),
        });
        @ In(&[InProduction]) => &[To(Ready)], OPERATOR, NothingShipped, reason;
    }
    /// Ask the store for an answer.
    Need = "need" {
        offer: offer(110, "Ask the store");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Need,
            fields: &[Code, Text, Amount, Reason],
            done: "The store was asked.",
            bulk: Some("waiting for the store"),
        });
        @ In(&[Ready, InProduction]) => &[To(NeedAction)], OPERATOR, Always;
    }
    /// Answer a need, which is a question of the print shop.
    Answer = "answer" {
        offer: offer(70, "Answer");
        @ In(&[NeedAction]) => &[Same, Returns], STORE, Needed;
    }
    /// End a need, which is a question to the store: its items continue or are cancelled.
    Resolve = "resolve" {
        offer: offer(120, "Resolve");
        operators: OperatorUse::Move(MoveRule {
            decision: MoveDecision::Resolve,
            fields: &[Outcome, KeepFees, Reason],
            done: "Resolved.",
            bulk: None,
        });
        @ In(&[NeedAction]) => AFTER_NEED, OPERATOR, Always;
        @ In(&[NeedAction]) => &[To(Cancelled)], OPERATOR, NothingShipped;
    }
    /// Record a shipment.
    Ship = "ship" {
        offer: offer(140, "Add shipment");
        operators: OperatorUse::Ship;
        @ In(&[Ready, InProduction]) => &[To(InProduction), To(Fulfilled)], OPERATOR, UnitsDecide;
    }
    /// Void a shipment after a mistake.
    Void = "void" {
        @ In(&[Fulfilled]) => &[To(InProduction)], OPERATOR, ParcelUnderWay, reason;
    }
    /// A parcel has arrived.
    Deliver = "deliver" {
        @ In(&[Fulfilled]) => &[To(Delivered)], ARRIVALS, AllDelivered;
    }
    /// A parcel has come back.
    Return = "return" {
        @ In(&[Fulfilled, Delivered]) => &[To(Returned)], ARRIVALS, AllArrived;
    }
}

/// Returns the moves that `role` can make by `command`.
pub fn transitions(command: Command, role: Role) -> impl Iterator<Item = &'static Transition> {
    let transitions = command.rule().transitions.iter();
    transitions.filter(move |transition| transition.by.contains(&role))
}

impl CommandRule {
    /// Returns how the command moves items of many orders; `None` if it has another use.
    pub fn moving(&self) -> Option<&MoveRule> {
        match &self.operators {
            OperatorUse::Move(rule) => Some(rule),
            OperatorUse::None | OperatorUse::Update | OperatorUse::Decide | OperatorUse::Ship => {
                None
            }
        }
    }
}

impl Command {
    /// Returns the commands that operators can give for items of many orders, with their rules.
    /// Commands that only move items come first.
    pub fn moving() -> impl Iterator<Item = (Self, &'static MoveRule)> {
        let moving = || {
            let rules = TABLE.iter();
            rules.filter_map(|rule| Some((rule.command, rule.moving()?)))
        };
        let is_plain = |rule: &MoveRule| rule.decision == MoveDecision::Plain;
        let plain = moving().filter(move |(_, rule)| is_plain(rule));
        plain.chain(moving().filter(move |(_, rule)| !is_plain(rule)))
    }

    /// Returns the label of the command for operators, such as on a button.
    pub fn label(self) -> &'static str {
        let offer = self.rule().offer;
        offer.map_or(self.as_str(), |offer| offer.label)
    }

    /// Returns whether `role` must give a reason, in at least one status of an item.
    pub fn needs_reason(self, role: Role) -> bool {
        transitions(self, role).any(|transition| transition.needs_reason)
    }

    /// Returns whether operators must be asked for values before they give the command: it has fields
    /// besides the reason, or the reason is required.
    pub fn asks_for_values(self) -> bool {
        let rule = self.rule().moving();
        let has_fields = rule.is_some_and(|rule| rule.own_fields().next().is_some());
        has_fields || self.needs_reason(Role::Operator)
    }

    /// Returns whether the command has no effect besides the cancellation of items.
    pub fn only_cancels(self) -> bool {
        let mut transitions = self.rule().transitions.iter();
        transitions.all(|transition| transition.target() == Some(Cancelled))
    }
}
