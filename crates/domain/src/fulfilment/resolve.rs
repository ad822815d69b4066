//! Ending what the shop needed from the store.

use super::cancel::cancel_items;
use super::decision::{Context, Decision, DecisionResult};
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::{Effect, SelectedItems, select};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::{Command, Target};
use crate::event::EventType;
use crate::id::{CorrectionId, ItemId};

/// A request to end what is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolveCommand {
    /// The items; `None` for all for which something is needed.
    pub items: Option<Vec<ItemId>>,
    /// What becomes of them.
    pub resolution: Resolution,
}

/// What becomes of items for which nothing is needed any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// They return to where they came from, or to request-change while their change is pending.
    Return,
    /// They are cancelled.
    Cancel {
        /// Whether their own fees are charged all the same.
        keep_fees: bool,
    },
}

/// Ends what is needed for items.
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
    let SelectedItems::Items(items) = selected else {
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
    let (is_so, target) = match resolution {
        Resolution::Return => (!is_needed, Target::Returns),
        Resolution::Cancel { .. } => (
            item.status == ItemStatus::Cancelled,
            Target::To(ItemStatus::Cancelled),
        ),
    };
    let mut rows = super::table::rows(Command::Resolve, context.role());
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
