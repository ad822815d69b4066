//! Beginning production.

use super::decision::{Context, DecisionResult};
use super::revision::move_to;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::id::ItemId;

/// Begins the production of items that are ready.
pub fn start(order: &Snapshot, items: Option<&[ItemId]>, context: &Context) -> DecisionResult {
    move_to(
        order,
        items,
        Command::Start,
        ItemStatus::InProduction,
        context,
    )
}
