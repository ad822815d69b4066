//! Return of items from production.

use super::decision::{Context, DecisionResult};
use super::revision::move_to;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::value::id::ItemId;

/// Moves `items` from `in-production` back to `ready`; `None` for all items that can be moved.
/// Requires a reason.
pub fn put_back(order: &Snapshot, items: Option<&[ItemId]>, context: &Context) -> DecisionResult {
    move_to(order, items, Command::PutBack, ItemStatus::Ready, context)
}
