//! Parcels as lists show them.

use pressline_domain::fulfilment::Shipment;
use pressline_domain::value::Timestamp;

use super::Foreign;

pub(crate) fn tracking(shipment: &Shipment) -> Foreign {
    let address = shipment.tracking_address().unwrap_or_default();
    let number = shipment.tracking_number.as_deref();
    Foreign::named(&address, number.unwrap_or_default())
}

pub(crate) fn arrived(shipment: &Shipment) -> Option<Timestamp> {
    // A parcel can be returned after its delivery, so the return is the later arrival.
    shipment.returned_at.or(shipment.delivered_at)
}
