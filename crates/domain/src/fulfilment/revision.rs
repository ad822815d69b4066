//! Builds the next version of an order.

use std::sync::Arc;

use super::decision::{Change, Context, Decision, DecisionResult, Refusal};
use super::guard::Guard;
use super::item_state::ItemState;
use super::select::refuse;
use super::shipment::Shipment;
use super::snapshot::{Snapshot, SnapshotParts};
use super::status::ItemStatus;
use super::table::{Command, transitions};
use crate::check::IssueCode;
use crate::event::{Difference, EventParts, EventType, NewEvent, PreviousEvent, difference};
use crate::pricing::corrections::{Correction, CorrectionError, CorrectionParts};
use crate::value::{ItemId, ShipmentId};

pub(super) struct Revision<'a> {
    before: &'a Snapshot,
    pub(super) context: &'a Context,
    pub(super) parts: SnapshotParts,
    pub(super) needs_price: bool,
}

impl<'a> Revision<'a> {
    pub(super) fn begin(before: &'a Snapshot, context: &'a Context) -> Result<Self, Refusal> {
        let current = before.state.version;
        if context.version.is_some_and(|version| version != current) {
            return Err(Refusal::VersionConflict { current });
        }
        Ok(Self {
            before,
            context,
            parts: SnapshotParts::clone(before),
            needs_price: false,
        })
    }

    /// Refuses if `context` expects another version, or if the caller can never give `command`.
    pub(super) fn begin_with(
        command: Command,
        before: &'a Snapshot,
        context: &'a Context,
    ) -> Result<Self, Refusal> {
        let revision = Self::begin(before, context)?;
        if transitions(command, context.role()).next().is_some() {
            return Ok(revision);
        }
        Err(refuse(
            before,
            command,
            context,
            before.state.ids_of(|_| true),
        ))
    }

    pub(super) fn item(&self, id: ItemId) -> Option<&ItemState> {
        self.parts.state.item(id)
    }

    pub(super) fn item_mut(&mut self, id: ItemId) -> Option<&mut ItemState> {
        self.parts.state.item_mut(id)
    }

    pub(super) fn shipment_mut(&mut self, id: ShipmentId) -> Result<&mut Shipment, Refusal> {
        let mut shipments = self.parts.shipments.iter_mut();
        shipments
            .find(|shipment| shipment.id == id)
            .ok_or(Refusal::UnknownShipment)
    }

    pub(super) fn correct(&mut self, line: CorrectionParts) -> Result<(), Refusal> {
        let line = Correction::new(line).map_err(|invalid| {
            let field = match invalid.0.first() {
                Some(CorrectionError::Reason) => "reason",
                _ => "amount",
            };
            Refusal::invalid(field, IssueCode::OutOfRange, invalid.to_string())
        })?;
        self.parts.corrections.push(line);
        Ok(())
    }

    pub(super) fn go(&mut self, id: ItemId, to: ItemStatus) {
        let now = self.context.now;
        if let Some(item) = self.item_mut(id) {
            item.go(to, now);
        }
    }

    pub(super) fn go_back(&mut self, id: ItemId) {
        let base = self.item(id).and_then(|item| item.returns_to);
        if let Some(base) = base {
            self.parts.state.end_needs(id);
            self.go(id, base);
        }
    }

    /// Moves the item `id` to `request-change` if it waits for a decision, else to `returns_to`.
    pub(super) fn go_on(&mut self, id: ItemId) {
        if self.parts.state.asked(id).is_some() {
            // The question about the change no longer needs an answer.
            self.parts.state.end_questions(id);
            self.go(id, ItemStatus::RequestChange);
        } else {
            self.go_back(id);
        }
    }

    /// An item becomes `fulfilled` when all its units are shipped, also by a lower quantity.
    /// Without parcels in transit, it becomes `returned` if a parcel came back, else `delivered`.
    fn update_units(&mut self) {
        for id in self.parts.state.ids_of(|_| true) {
            let is_sent = self.parts.shipped(id) > 0 && self.parts.unshipped(id) == 0;
            // A suspended item keeps its status; it is moved on in the version in which it returns.
            let in_work = [ItemStatus::Ready, ItemStatus::InProduction];
            if is_sent && self.is_in(id, &in_work) {
                self.go(id, ItemStatus::Fulfilled);
            }
            let now = self.context.now;
            let holds = |guard: Guard| {
                let item = self.item(id);
                item.is_some_and(|item| guard.holds(&self.parts, item, now))
            };
            let arrived = if holds(Guard::AllArrived) {
                ItemStatus::Returned
            } else if holds(Guard::AllDelivered) {
                ItemStatus::Delivered
            } else {
                continue;
            };
            // A parcel can arrive before the rest of an item is shipped, or while the item is
            // suspended.
            if !self.is_in(id, &[ItemStatus::Fulfilled, ItemStatus::Delivered]) {
                continue;
            }
            self.go(id, arrived);
        }
    }

    pub(super) fn is_in(&self, id: ItemId, statuses: &[ItemStatus]) -> bool {
        self.item(id)
            .is_some_and(|item| statuses.contains(&item.status))
    }

    /// Increases the version, and sets derived values. Returns `Unchanged` if nothing has changed.
    pub(super) fn finish(self, kind: EventType) -> DecisionResult {
        self.finish_with(kind, None)
    }

    pub(super) fn finish_with(
        mut self,
        kind: EventType,
        shipment: Option<ShipmentId>,
    ) -> DecisionResult {
        self.update_units();
        self.parts.update_derived();
        // While the service works on the order, the stored due time can be later than the derived
        // time. The comparison ignores this difference, so that it alone makes no new version.
        let due_at = self.parts.state.due_at;
        self.parts.state.due_at = self.before.state.due_at;
        if self.parts == **self.before {
            return Ok(Decision::Unchanged);
        }
        self.parts.state.due_at = due_at;
        self.parts.state.version = self.before.state.version.saturating_add(1);
        self.parts.state.updated_at = self.context.now;
        // The event below records the fast-forwarding, so counting starts again.
        for item in &mut self.parts.state.items {
            item.advanced_millis = 0;
        }
        // Includes the fast-forwarding of a test store's clock since the last event.
        let before = self.before.after_latest_event();
        let Difference { items, changes } = difference(&before, &self.parts, kind);
        let mut shipments = self.parts.shipments.iter();
        let event = NewEvent::new(EventParts {
            kind,
            order: self.parts.content.id,
            version: self.parts.state.version,
            at: self.context.now,
            previous: Some(PreviousEvent {
                sequence: self.before.state.last_sequence,
                at: self.before.state.updated_at,
            }),
            actor: self.context.actor,
            reason: self.context.reason.clone(),
            request_id: self.context.request_id.clone(),
            items,
            changes,
            shipment: shipments.find(|other| Some(other.id) == shipment).cloned(),
        });
        // Commands that change the content replace its `Arc`, so comparing pointers suffices.
        Ok(Decision::Changed(Box::new(Change {
            content_changed: !Arc::ptr_eq(&self.before.content, &self.parts.content),
            event: event.map_err(Refusal::BrokenEvent)?,
            needs_price: self.needs_price,
            order: Snapshot::new(self.parts).map_err(Refusal::Broken)?,
        })))
    }
}
