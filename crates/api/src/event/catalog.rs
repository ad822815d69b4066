//! The catalog of events, generated from their types and from events that a test makes happen.

use std::fmt::Write as _;

use pressline_domain::event::EventType;

const HEAD: &str = "\
# The types of events

This page is generated. The meanings are in `crates/domain/src/event/kind.rs`; each example is an event that the test
`crates/api/tests/api/operators/catalog.rs` makes happen.

All events have one form, which the schema `Event` of [openapi.json](openapi.json) describes. The examples are without
`order`, as `\"include\": \"changes\"` requests them. There will be new types and fields; ignore those that you do not
know. [EVENTS.md](EVENTS.md) says how to read events, and what is promised.
";

macro_rules! examples {
    ($($kind:ident = $file:literal,)+) => {
        /// An example of each type.
        const EXAMPLES: [(EventType, &str); EventType::ALL.len()] = [
            $((EventType::$kind, include_str!(concat!("examples/types/", $file, ".json"))),)+
        ];
    };
}

examples! {
    OrderCreated = "order.created",
    OrderUpdated = "order.updated",
    OrderStatusChanged = "order.status_changed",
    OrderHeld = "order.held",
    OrderReleased = "order.released",
    OrderCancelled = "order.cancelled",
    OrderChangeRequested = "order.change_requested",
    OrderChangeWithdrawn = "order.change_withdrawn",
    OrderChangeApproved = "order.change_approved",
    OrderChangeRefused = "order.change_refused",
    OrderActionNeeded = "order.action_needed",
    OrderActionAnswered = "order.action_answered",
    OrderActionResolved = "order.action_resolved",
    OrderFeesChanged = "order.fees_changed",
    OrderReplaced = "order.replaced",
    ShipmentCreated = "shipment.created",
    ShipmentUpdated = "shipment.updated",
    ShipmentVoided = "shipment.voided",
    ShipmentDelivered = "shipment.delivered",
    ShipmentReturned = "shipment.returned",
    WebhookDisabled = "webhook.disabled",
}

/// Returns the catalog of events, in Markdown.
#[must_use]
pub fn event_reference() -> String {
    let mut text = HEAD.to_owned();
    for (kind, example) in EXAMPLES {
        let (name, meaning) = (kind.as_str(), kind.meaning());
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## `{name}`\n\n{meaning}\n\n```json\n{example}```\n"
        );
    }
    text
}
