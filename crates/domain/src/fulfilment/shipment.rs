//! Shipments: parcels and their units.

use super::tracking_number::is_same_number;
use super::tracking_url::tracking_url;
use crate::value::{ItemId, ShipmentId, Timestamp};

pressline_kit::named! {
    /// Progress of a parcel, from shipping to arrival or return.
    #[derive(PartialOrd, Ord)]
    pub enum ShipmentStatus {
        /// The parcel is in transit.
        Shipped = "shipped",
        /// The parcel has arrived.
        Delivered = "delivered",
        /// The parcel came back.
        Returned = "returned",
        /// The shipment was recorded by mistake; its units do not count as shipped.
        Void = "void",
    }
}

/// A parcel with units of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Shipment {
    /// The service's id of the shipment.
    pub id: ShipmentId,
    /// Caller's reference, unique in the order except for void shipments; `None` if not given.
    pub reference: Option<String>,
    /// Name of the carrier; `None` if it is unknown.
    pub carrier: Option<String>,
    /// Tracking number of the parcel as given; `None` if it is unknown. Compare it by its
    /// [`CanonicalNumber`](super::CanonicalNumber).
    pub tracking_number: Option<String>,
    /// URL of the tracking page, if given. See [`tracking_address`](Self::tracking_address).
    pub tracking_url: Option<String>,
    /// Progress of the parcel; [`ShipmentStatus::Void`] if the shipment was recorded by mistake.
    pub status: ShipmentStatus,
    /// Units in the parcel; never empty.
    pub items: Vec<ShippedUnits>,
    /// Time when the carrier got the parcel.
    pub shipped_at: Timestamp,
    /// Time when the parcel arrived; `None` until then.
    pub delivered_at: Option<Timestamp>,
    /// Time when the parcel came back; `None` until then.
    pub returned_at: Option<Timestamp>,
}

/// Units of one item in a shipment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShippedUnits {
    /// The service's id of the item.
    pub id: ItemId,
    /// Number of units, at least 1.
    pub quantity: u32,
}

/// Matches shipments by `reference` if it is set, else by `carrier` and `tracking_number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShipmentKey<'a> {
    pub(super) reference: Option<&'a str>,
    /// Name of the carrier; `None` matches any carrier.
    pub(super) carrier: Option<&'a str>,
    pub(super) tracking_number: Option<&'a str>,
}

impl ShipmentKey<'_> {
    /// A key without `reference` and `tracking_number` matches no shipment.
    pub(super) fn names(&self, shipment: &Shipment) -> bool {
        if self.reference.is_some() {
            return self.reference == shipment.reference.as_deref();
        }
        self.tracking_number.is_some()
            && is_same_number(self.tracking_number, shipment.tracking_number.as_deref())
            && self
                .carrier
                .is_none_or(|carrier| shipment.is_sent_by(carrier))
    }
}

impl Shipment {
    pub(super) fn key(&self) -> ShipmentKey<'_> {
        ShipmentKey {
            reference: self.reference.as_deref(),
            carrier: self.carrier.as_deref(),
            tracking_number: self.tracking_number.as_deref(),
        }
    }

    /// Returns whether `carrier` is the shipment's carrier, ignoring case.
    pub fn is_sent_by(&self, carrier: &str) -> bool {
        let own = self.carrier.as_deref().map(str::to_lowercase);
        own == Some(carrier.to_lowercase())
    }

    /// Returns the caller's URL or, for a well-known carrier, a URL made of the tracking number.
    pub fn tracking_address(&self) -> Option<String> {
        let (carrier, number) = (self.carrier.as_deref(), self.tracking_number.as_deref());
        let usual = || tracking_url(carrier?, number?);
        self.tracking_url.clone().or_else(usual)
    }

    /// Returns whether the units of the shipment count as shipped: `false` if the shipment is void.
    pub fn counts(&self) -> bool {
        self.status != ShipmentStatus::Void
    }

    /// Returns the number of units of `item` in the parcel.
    pub fn units_of(&self, item: ItemId) -> u32 {
        let units = self.items.iter().filter(|units| units.id == item);
        units.map(|units| units.quantity).sum()
    }
}

/// Numbers of shipments of an item, not of units; void shipments are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Arrivals {
    pub(super) under_way: usize,
    pub(super) delivered: usize,
    pub(super) returned: usize,
}

impl Arrivals {
    pub(super) fn new<'a>(shipments: impl Iterator<Item = &'a Shipment>) -> Self {
        shipments.fold(Self::default(), |mut arrivals, shipment| {
            match shipment.status {
                ShipmentStatus::Shipped => arrivals.under_way += 1,
                ShipmentStatus::Delivered => arrivals.delivered += 1,
                ShipmentStatus::Returned => arrivals.returned += 1,
                ShipmentStatus::Void => {}
            }
            arrivals
        })
    }
}
