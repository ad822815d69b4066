//! Shipments: which units went out in which parcel.

use super::tracking_url::tracking_url;
use crate::id::{ItemId, ShipmentId};
use crate::time::Timestamp;

named! {
    /// The status of a shipment.
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

/// What identifies a shipment that is recorded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShipmentKey<'a> {
    /// The caller's reference.
    Reference(&'a str),
    /// Carrier and tracking number.
    Parcel(Option<&'a str>, &'a str),
}

impl<'a> ShipmentKey<'a> {
    /// Returns the key of these values; `None` where there is neither a reference nor a tracking
    /// number.
    #[must_use]
    pub fn of(
        reference: Option<&'a str>,
        carrier: Option<&'a str>,
        tracking_number: Option<&'a str>,
    ) -> Option<Self> {
        let parcel = tracking_number.map(|number| Self::Parcel(carrier, number));
        reference.map(Self::Reference).or(parcel)
    }
}

impl Shipment {
    /// Returns what identifies the shipment.
    #[must_use]
    pub fn key(&self) -> Option<ShipmentKey<'_>> {
        ShipmentKey::of(
            self.reference.as_deref(),
            self.carrier.as_deref(),
            self.tracking_number.as_deref(),
        )
    }

    /// Returns where the parcel can be followed: the caller's address, else the usual carrier's.
    #[must_use]
    pub fn tracking_address(&self) -> Option<String> {
        let (carrier, number) = (self.carrier.as_deref(), self.tracking_number.as_deref());
        let usual = || tracking_url(carrier?, number?);
        self.tracking_url.clone().or_else(usual)
    }

    /// True unless it was recorded by mistake.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.status != ShipmentStatus::Void
    }

    /// Returns the number of units of an item.
    #[must_use]
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
    /// Counts these shipments.
    pub(super) fn of<'a>(shipments: impl Iterator<Item = &'a Shipment>) -> Self {
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
