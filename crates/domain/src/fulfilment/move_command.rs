//! Commands about some or all items of an order, and the decision about them.

use uuid::Uuid;

use super::cancel::{CancelCommand, cancel};
use super::decision::{Context, DecisionResult, Refusal};
use super::hold::{HoldCommand, hold};
use super::move_items::move_items;
use super::need::{NeedCommand, need};
use super::pending::NeedCode;
use super::release::release;
use super::resolve::{Resolution, ResolveCommand, resolve};
use super::snapshot::Snapshot;
use super::table::Command;
use crate::check::IssueCode;
use crate::value::{Amount, ChangeId, CorrectionId, ItemId, NeedId, Timestamp};

/// A command that moves items of an order, with its values. Requests become such a command by
/// [`MoveValues::check`](crate::order::request::MoveValues::check).
#[derive(Clone, Debug, PartialEq)]
pub enum MoveCommand {
    /// A command that only moves items to a status, such as [`Command::Start`].
    Plain(Command),
    /// Puts items on hold.
    Hold {
        /// Time at which the hold ends by itself; `None` for a hold without end.
        until: Option<Timestamp>,
    },
    /// Ends holds.
    Release,
    /// Cancels items.
    Cancel {
        /// Whether product fees and surcharges of the items are still charged.
        keep_fees: bool,
    },
    /// Asks the store a question.
    Need {
        /// Kind of the question.
        code: NeedCode,
        /// The question in words.
        text: Option<String>,
        /// Fee that the store must approve, in major units, as a decimal string: the currency of
        /// each order decides its decimals.
        amount: Option<String>,
    },
    /// Ends needs.
    Resolve(Resolution),
}

/// Decides `command` about `items` of `order`; `None` stands for all items that allow it. `new_id`
/// returns ids for new records of the order, such as fee lines.
///
/// Use this function if the command comes from a request. If the kind of command is fixed, call its
/// own function instead, such as [`hold`].
///
/// # Errors
/// The [`Refusal`] of the command's own function.
pub fn decide_move(
    order: &Snapshot,
    command: &MoveCommand,
    items: Option<Vec<ItemId>>,
    new_id: &dyn Fn() -> Uuid,
    context: &Context,
) -> DecisionResult {
    let new_line = || CorrectionId::new(new_id());
    match command {
        MoveCommand::Plain(command) => move_items(*command, order, items.as_deref(), context),
        MoveCommand::Release => release(order, items.as_deref(), context),
        MoveCommand::Hold { until } => {
            let command = HoldCommand {
                items,
                until: *until,
                change: ChangeId::new(new_id()),
            };
            hold(order, &command, context)
        }
        MoveCommand::Cancel { keep_fees } => {
            let command = CancelCommand {
                items,
                keep_fees: *keep_fees,
                change: ChangeId::new(new_id()),
            };
            cancel(order, &command, &new_line, context)
        }
        MoveCommand::Need { code, text, amount } => {
            let command = NeedCommand {
                items,
                id: NeedId::new(new_id()),
                code: *code,
                text: text.clone(),
                amount: fee(amount.as_deref(), order)?,
            };
            need(order, &command, context)
        }
        MoveCommand::Resolve(resolution) => {
            let command = ResolveCommand {
                items,
                resolution: *resolution,
            };
            resolve(order, &command, &new_line, context)
        }
    }
}

fn fee(text: Option<&str>, order: &Snapshot) -> Result<Option<Amount>, Refusal> {
    let amount = text
        .map(|text| Amount::parse(text, order.content.currency))
        .transpose();
    amount.map_err(|error| Refusal::invalid("amount", IssueCode::OutOfRange, error.to_string()))
}
