//! Shipments: which units went out in which parcel.

use super::tracking_url::tracking_url;
use crate::id::{ItemId, ShipmentId};
use crate::time::Timestamp;

pressline_kit::named! {
    /// The status of a shipment.
    #[derive(PartialOrd, Ord)]
    pub enum ShipmentStatus {
        /// On its way.
        Shipped = "shipped",
        /// Has arrived.
        Delivered = "delivered",
        /// Has come back.
        Returned = "returned",
        /// Does not count: it was recorded by mistake.
        Void = "void",
    }
}

/// A parcel with units of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Shipment {
    /// Its id.
    pub id: ShipmentId,
    /// The caller's reference, unique among the order's shipments that are not void.
    pub reference: Option<String>,
    /// The carrier.
    pub carrier: Option<String>,
    /// The carrier's number of the parcel.
    pub tracking_number: Option<String>,
    /// Where the parcel can be followed, as the caller gave it.
    pub tracking_url: Option<String>,
    /// The status.
    pub status: ShipmentStatus,
    /// The units that it holds, at least one.
    pub items: Vec<ShippedUnits>,
    /// When it was handed to the carrier.
    pub shipped_at: Timestamp,
    /// When it arrived.
    pub delivered_at: Option<Timestamp>,
    /// When it came back.
    pub returned_at: Option<Timestamp>,
}

/// Units of one item in a shipment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShippedUnits {
    /// The item.
    pub id: ItemId,
    /// Number of units, at least 1.
    pub quantity: u32,
}

/// What a caller names a shipment by when it is recorded again: the reference if there is one, else
/// carrier and tracking number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShipmentKey<'a> {
    /// The caller's reference.
    pub reference: Option<&'a str>,
    /// The carrier; `None` for any.
    pub carrier: Option<&'a str>,
    /// The carrier's number of the parcel.
    pub tracking_number: Option<&'a str>,
}

impl ShipmentKey<'_> {
    /// Returns whether this is a key of the shipment. What has neither a reference nor a tracking number
    /// names no shipment.
    pub fn names(&self, shipment: &Shipment) -> bool {
        if self.reference.is_some() {
            return self.reference == shipment.reference.as_deref();
        }
        self.tracking_number.is_some()
            && self.tracking_number == shipment.tracking_number.as_deref()
            && self
                .carrier
                .is_none_or(|carrier| shipment.is_sent_by(carrier))
    }
}

impl Shipment {
    /// Returns what identifies the shipment.
    pub fn key(&self) -> ShipmentKey<'_> {
        ShipmentKey {
            reference: self.reference.as_deref(),
            carrier: self.carrier.as_deref(),
            tracking_number: self.tracking_number.as_deref(),
        }
    }

    /// Returns whether this carrier took the parcel. Case makes no difference.
    pub fn is_sent_by(&self, carrier: &str) -> bool {
        let own = self.carrier.as_deref().map(str::to_lowercase);
        own == Some(carrier.to_lowercase())
    }

    /// Returns where the parcel can be followed: the caller's address, else the usual carrier's.
    pub fn tracking_address(&self) -> Option<String> {
        let (carrier, number) = (self.carrier.as_deref(), self.tracking_number.as_deref());
        let usual = || tracking_url(carrier?, number?);
        self.tracking_url.clone().or_else(usual)
    }

    /// True unless it was recorded by mistake.
    pub fn counts(&self) -> bool {
        self.status != ShipmentStatus::Void
    }

    /// Returns the number of units of an item.
    pub fn units_of(&self, item: ItemId) -> u32 {
        let units = self.items.iter().filter(|units| units.id == item);
        units.map(|units| units.quantity).sum()
    }
}

/// What became of the shipments that hold units of an item, void ones left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Arrivals {
    /// Shipments on their way.
    pub under_way: usize,
    /// Shipments that have arrived.
    pub delivered: usize,
    /// Shipments that have come back.
    pub returned: usize,
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
