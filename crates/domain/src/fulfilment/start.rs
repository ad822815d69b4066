//! Start of production.

use super::decision::{Context, DecisionResult};
use super::revision::move_to;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::value::id::ItemId;

/// Moves `items` from `ready` to `in-production`; `None` for all items in `ready`.
pub fn start(order: &Snapshot, items: Option<&[ItemId]>, context: &Context) -> DecisionResult {
    move_to(
        order,
        items,
        Command::Start,
        ItemStatus::InProduction,
        context,
    )
}
