//! Types of events.

macro_rules! event_types {
    ($($kind:ident = $name:literal, $meaning:literal;)+) => {
        pressline_kit::named! {
            /// Kind of change to an order or a webhook endpoint.
            #[derive(PartialOrd, Ord)]
            #[non_exhaustive]
            pub enum EventType {
                $(#[doc = $meaning] $kind = $name,)+
            }
        }

        impl EventType {
            /// Returns the meaning of the type, as a sentence for people.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$kind => $meaning,)+
                }
            }
        }
    };
}

event_types! {
    OrderCreated = "order.created", "The order was placed.";
    OrderUpdated = "order.updated", "Values of the order were changed.";
    OrderStatusChanged = "order.status_changed",
        "Items became ready, went into production or were put back.";
    OrderHeld = "order.held", "Items were put on hold, or a hold got another end.";
    OrderReleased = "order.released", "Items were released from a hold.";
    OrderCancelled = "order.cancelled", "Items were cancelled.";
    OrderChangeRequested = "order.change_requested",
        "The store asked for a change of items in production; the print shop decides.";
    OrderChangeWithdrawn = "order.change_withdrawn",
        "The store withdrew the change that it had asked for.";
    OrderChangeApproved = "order.change_approved",
        "The print shop approved the change that the store had asked for.";
    OrderChangeRefused = "order.change_refused",
        "The print shop refused the change that the store had asked for.";
    OrderActionNeeded = "order.action_needed",
        "The print shop needs something from the store, or asks back about a change.";
    OrderActionAnswered = "order.action_answered", "The store answered the print shop.";
    OrderActionResolved = "order.action_resolved",
        "The print shop no longer needs anything for these items.";
    OrderFeesChanged = "order.fees_changed", "An operator changed the fees.";
    OrderReplaced = "order.replaced", "Items of the order are made again by another order.";
    ShipmentCreated = "shipment.created", "Units were shipped.";
    ShipmentUpdated = "shipment.updated", "Values of a shipment were changed.";
    ShipmentVoided = "shipment.voided", "A shipment turned out to be recorded by mistake.";
    ShipmentDelivered = "shipment.delivered", "A shipment arrived.";
    ShipmentReturned = "shipment.returned", "A shipment came back.";
    WebhookDisabled = "webhook.disabled",
        "The service disabled a webhook endpoint of the store. It concerns no order.";
}

impl EventType {
    pub(super) fn is_about_order(self) -> bool {
        self != Self::WebhookDisabled
    }

    pub(super) fn is_about_shipment(self) -> bool {
        self.as_str().starts_with("shipment.")
    }
}
