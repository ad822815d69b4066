//! Placing an order: the initial state of its items, and its first event.

use std::sync::Arc;

use super::completeness::is_complete;
use super::decision::{Context, Refusal};
use super::item_state::ItemState;
use super::snapshot::{Snapshot, SnapshotParts};
use super::state::OrderState;
use super::status::ItemStatus;
use super::window::{all_complete, due_at, end_of_window};
use crate::event::{EventParts, EventType, ItemMove, NewEvent};
use crate::order::{LineItem, OrderParts};
use crate::value::{ItemId, ServiceOrderId, Timestamp};

/// Initial state of an order, to be stored together with its content.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Statuses of the items and other values that commands change, at version 1.
    pub state: OrderState,
    /// The event [`EventType::OrderCreated`].
    pub event: NewEvent,
}

/// Returns the initial state and the first event. The window starts at the time of `context`.
pub fn place(
    content: &OrderParts,
    cooling_off_seconds: u32,
    context: &Context,
) -> Result<Placement, Refusal> {
    let mut state = OrderState {
        version: 1,
        updated_at: context.now,
        last_sequence: 0,
        due_at: None,
        cooling_off_seconds,
        item_count: 0,
        pending: None,
        needs: Vec::new(),
        replaces: None,
        replaced_by: Vec::new(),
        items: Vec::with_capacity(content.items.len()),
    };
    let added: Vec<ItemId> = content.items.iter().map(|line| line.id).collect();
    for line in &content.items {
        let item = new_item(&mut state, line, context.now);
        state.items.push(item);
    }
    end_empty_window(&mut state, &added, context.now);
    state.due_at = due_at(&state);
    let items = state.items.iter().map(|item| ItemMove {
        id: item.id,
        old: None,
        new: Some(item.status),
    });
    let event = NewEvent::new(EventParts {
        kind: EventType::OrderCreated,
        order: content.id,
        version: 1,
        at: context.now,
        previous: None,
        actor: context.actor,
        reason: context.reason.clone(),
        request_id: context.request_id.clone(),
        items: items.collect(),
        changes: Vec::new(),
        shipment: None,
    });
    Ok(Placement {
        event: event.map_err(Refusal::BrokenEvent)?,
        state,
    })
}

pub(super) fn new_item(state: &mut OrderState, line: &LineItem, now: Timestamp) -> ItemState {
    state.item_count = state.item_count.saturating_add(1);
    let complete = is_complete(line);
    let status = if complete {
        ItemStatus::CoolingOff
    } else {
        ItemStatus::PendingDesign
    };
    ItemState {
        id: line.id,
        number: state.item_count,
        status,
        returns_to: None,
        held_by: None,
        hold_until: None,
        shipped_quantity: 0,
        ready_at: None,
        advanced_millis: 0,
        window_end: complete.then(|| end_of_window(now, state.cooling_off_seconds)),
    }
}

pub(super) fn end_empty_window(state: &mut OrderState, added: &[ItemId], now: Timestamp) {
    // A single incomplete item keeps the others in `cooling-off`, as at the end of a window.
    if state.cooling_off_seconds > 0 || !all_complete(state) {
        return;
    }
    let items = state.items.iter_mut();
    for item in items.filter(|item| added.contains(&item.id)) {
        item.go(ItemStatus::Ready, now);
    }
}

impl Placement {
    /// Returns this placement for an order that replaces the order with the number `replaced`.
    #[must_use]
    pub fn replacing(mut self, replaced: ServiceOrderId) -> Self {
        self.state.replaces = Some(replaced);
        self
    }

    /// Returns the stored order. `number` and `sequence` come from the store's counters.
    pub fn placed(
        mut self,
        content: Arc<OrderParts>,
        number: ServiceOrderId,
        sequence: u64,
    ) -> Result<Snapshot, Refusal> {
        self.state.last_sequence = sequence;
        let placed = Snapshot::new(SnapshotParts {
            service_order_id: number,
            content,
            state: self.state,
            shipments: Vec::new(),
            corrections: Vec::new(),
        });
        placed.map_err(Refusal::Broken)
    }
}
