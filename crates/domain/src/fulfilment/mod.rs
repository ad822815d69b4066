//! The life cycle of an order: statuses, commands, shipments, and the actions that callers can
//! take.
//!
//! An order is [placed](place), and then moved by commands. [`TABLE`] defines from which status to
//! which status a command can move an item, and which roles can give the command. A decision is a
//! pure function of an order ([`Snapshot`]), a command and its [`Context`]. It returns a
//! [`Decision`]: the [`Change`] to write with its event, or that nothing changes. If the command is
//! not legal, the function returns a [`Refusal`].
//!
//! The use cases of [`OrderService`](crate::order::OrderService) call these functions: they load
//! the order, decide, and store the change.

mod allowed;
mod answer;
mod ask;
mod ask_back;
mod barcode;
mod cancel;
mod completeness;
mod correct;
mod decide;
mod decision;
mod due;
mod files;
mod guard;
mod hold;
mod holder;
mod item_state;
mod move_command;
mod move_items;
mod move_rule;
mod need;
mod pending;
mod place;
mod process_now;
mod release;
mod replace;
mod resolve;
mod revision;
mod select;
mod ship;
mod shipment;
mod snapshot;
mod state;
mod status;
mod table;
mod track;
mod tracking_number;
mod tracking_url;
mod transition;
mod update;
mod update_shipment;
mod void;
mod window;
mod withdraw_change;

pub use crate::event::PendingChange;
pub use allowed::{
    ActionEffect, AllowedAction, allowed_actions, allowed_actions_of, missing_condition,
};
pub use answer::{AnswerCommand, answer};
pub use cancel::{CancelCommand, cancel};
pub use completeness::is_complete;
pub use correct::correct_fees;
pub use decide::{DecideCommand, Verdict, decide};
pub use decision::{Caller, Change, Context, Decision, DecisionResult, Refusal};
pub use due::due;
pub use guard::Guard;
pub use hold::{HoldCommand, hold};
pub use holder::Holder;
pub use item_state::ItemState;
pub use move_command::{MoveCommand, decide_move};
pub use move_items::move_items;
pub use move_rule::{MoveDecision, MoveField, MoveRule};
pub use need::{NeedCommand, need};
pub use pending::{Answer, ChangeKind, ChangeRequest, Need, NeedCode, RequestedItem};
pub use place::{Placement, place};
pub use process_now::process_now;
pub use release::release;
pub use replace::replace;
pub use resolve::{Resolution, ResolveCommand, resolve};
pub use ship::{ShipCommand, ship};
pub use shipment::{Shipment, ShipmentStatus, ShippedUnits};
pub use snapshot::{BrokenSnapshot, Snapshot, SnapshotParts};
pub use state::OrderState;
pub use status::{ItemStatus, Position, Stage, UnknownStatus};
pub use table::{Command, CommandRule, Offer, OperatorUse, TABLE, transitions};
pub use track::{Tracking, track};
pub use tracking_number::{CanonicalNumber, is_same_number, number_in_barcode};
pub use transition::{Origin, Target, Transition};
pub use update::{UpdatePlan, ask_update, plan_update, reprice, update};
pub use update_shipment::{ShipmentUpdate, update_shipment};
pub use void::void;
pub use window::{due_at, editable_until, window_of_all};
pub use withdraw_change::withdraw_change;
