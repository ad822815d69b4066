//! The types of events.

named! {
    /// What happened.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum EventType {
        /// The order was placed.
        OrderCreated = "order.created",
        /// Values of the order were changed.
        OrderUpdated = "order.updated",
        /// Items became ready, went into production or were put back.
        OrderStatusChanged = "order.status_changed",
        /// Items were put on hold, or a hold got another end.
        OrderHeld = "order.held",
        /// Items were released.
        OrderReleased = "order.released",
        /// Items were cancelled.
        OrderCancelled = "order.cancelled",
        /// The store asked for a change.
        OrderChangeRequested = "order.change_requested",
        /// The store took its request back.
        OrderChangeWithdrawn = "order.change_withdrawn",
        /// The shop approved a change.
        OrderChangeApproved = "order.change_approved",
        /// The shop refused a change.
        OrderChangeRefused = "order.change_refused",
        /// The shop needs something from the store, or asks back about a change.
        OrderActionNeeded = "order.action_needed",
        /// The store answered.
        OrderActionAnswered = "order.action_answered",
        /// The shop no longer needs anything for these items.
        OrderActionResolved = "order.action_resolved",
        /// An operator changed the fees.
        OrderFeesChanged = "order.fees_changed",
        /// Items of the order are made again by another order.
        OrderReplaced = "order.replaced",
        /// Units were shipped.
        ShipmentCreated = "shipment.created",
        /// Values of a shipment were changed.
        ShipmentUpdated = "shipment.updated",
        /// A shipment was recorded by mistake.
        ShipmentVoided = "shipment.voided",
        /// A shipment arrived.
        ShipmentDelivered = "shipment.delivered",
        /// A shipment came back.
        ShipmentReturned = "shipment.returned",
        /// The service has disabled an endpoint of the store.
        WebhookDisabled = "webhook.disabled",
    }
}

impl EventType {
    /// Returns what happened, for people.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::OrderCreated => "The order was placed.",
            Self::OrderUpdated => "Values of the order were changed.",
            Self::OrderStatusChanged => {
                "Items became ready, went into production or were put back."
            }
            Self::OrderHeld => "Items were put on hold, or a hold got another end.",
            Self::OrderReleased => "Items were released from a hold.",
            Self::OrderCancelled => "Items were cancelled.",
            Self::OrderChangeRequested => {
                "The store asked for a change of items that are at work; the shop decides."
            }
            Self::OrderChangeWithdrawn => "The store withdrew the change that it had asked for.",
            Self::OrderChangeApproved => {
                "The shop approved the change that the store had asked for."
            }
            Self::OrderChangeRefused => "The shop refused the change that the store had asked for.",
            Self::OrderActionNeeded => {
                "The shop needs something from the store, or asks back about a change."
            }
            Self::OrderActionAnswered => "The store answered the shop.",
            Self::OrderActionResolved => "The shop no longer needs anything for these items.",
            Self::OrderFeesChanged => "An operator changed the fees.",
            Self::OrderReplaced => "Items of the order are made again by another order.",
            Self::ShipmentCreated => "Units were shipped.",
            Self::ShipmentUpdated => "Values of a shipment were changed.",
            Self::ShipmentVoided => "A shipment turned out to be recorded by mistake.",
            Self::ShipmentDelivered => "A shipment arrived.",
            Self::ShipmentReturned => "A shipment came back.",
            Self::WebhookDisabled => {
                "The service disabled a webhook endpoint of the store. It concerns no order."
            }
        }
    }

    /// True of the types of events that change an order.
    #[must_use]
    pub fn is_about_order(self) -> bool {
        self != Self::WebhookDisabled
    }

    /// True of the types of which an event names a shipment.
    #[must_use]
    pub fn is_about_shipment(self) -> bool {
        self.as_str().starts_with("shipment.")
    }
}
