//! Resolution of needs: the print shop ends its questions to the store.

use super::cancel::cancel_items;
use super::decision::{Context, Decision, DecisionResult};
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::{Effect, select};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::{Command, transitions};
use super::transition::Target;
use crate::event::EventType;
use crate::value::{CorrectionId, ItemId};

/// Items that leave `need-action`, and whether they continue or are cancelled.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolveCommand {
    /// Items to take out of `need-action`; `None` for all items that have a need.
    pub items: Option<Vec<ItemId>>,
    /// Whether the items continue or become `cancelled`.
    pub resolution: Resolution,
}

/// Whether the items of a resolved need continue or are cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The items return to their status; to `request-change` if a change is still undecided.
    Return,
    /// The items become `cancelled`.
    Cancel {
        /// Whether product fees and surcharges of the cancelled items are still charged.
        keep_fees: bool,
    },
}

/// Ends the needs of the items of `command`. `new_id` returns the ids of new fee lines.
pub fn resolve(
    order: &Snapshot,
    command: &ResolveCommand,
    new_id: &dyn Fn() -> CorrectionId,
    context: &Context,
) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    let given = command.items.as_deref();
    let selected = select(order, given, Command::Resolve, context, |item| {
        resolves(order, item, command.resolution, context)
    })?;
    let Some(items) = selected else {
        return Ok(Decision::Unchanged);
    };
    match command.resolution {
        Resolution::Return => {
            for id in items {
                revision.go_on(id);
            }
        }
        Resolution::Cancel { keep_fees } => {
            cancel_items(&mut revision, &items, keep_fees, new_id)?;
        }
    }
    revision.finish(EventType::OrderActionResolved)
}

fn resolves(
    order: &Snapshot,
    item: &ItemState,
    resolution: Resolution,
    context: &Context,
) -> Effect {
    let is_needed = item.status == ItemStatus::NeedAction;
    // The rows of `resolve` differ by target and guard, so the row of the requested target decides.
    let (is_so, target) = match resolution {
        Resolution::Return => (!is_needed, Target::Returns),
        Resolution::Cancel { .. } => (
            item.status == ItemStatus::Cancelled,
            Target::To(ItemStatus::Cancelled),
        ),
    };
    let mut rows = transitions(Command::Resolve, context.role());
    let can = rows.any(|row| {
        row.to.contains(&target)
            && row.starts_at(item.position())
            && row.guard.holds(order, item, context.now)
    });
    if is_so {
        Effect::Unchanged
    } else if can {
        Effect::Moves
    } else {
        Effect::Illegal
    }
}
