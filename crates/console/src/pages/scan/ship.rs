//! Ships the units done at the last step.

use pressline_backoffice::production::ScannedCode;
use pressline_domain::check::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};

use super::page::refused;
use super::parcel::{TRACKING, UNITS, VERSION, sent};
use super::station::{CARRIER, Station, leads_to};
use crate::shell::{Answer, Fields, FormErrors, Message, Result, SignedInRequest};

pub(super) async fn submit(visit: &SignedInRequest, station: Station) -> Answer {
    let fields = visit.form();
    let tracking = fields.get(TRACKING).trim();
    if names_an_order(visit, tracking).await? {
        let message = "this code belongs to the print shop, it is not a tracking number; scan the label of the parcel";
        let errors = FormErrors::of_field(TRACKING, message);
        return refused(visit, station, errors).await;
    }
    let draft = ShipmentDraft {
        order_id: station.order().into(),
        version: fields.integer(VERSION),
        carrier: fields.text(CARRIER),
        tracking_number: fields.text(TRACKING),
        line_items: Field::Value(units(fields)),
        ..ShipmentDraft::default()
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    let shipping = orders.ship.create_shipment(visit.scope(), &draft, &by);
    let shipped = match shipping.await {
        Ok(shipped) => shipped,
        Err(error) => return refused(visit, station, FormErrors::from_error(error)?).await,
    };
    let parcel = &shipped.shipment;
    let text = sent(&station.order(), parcel);
    let free = Station {
        carrier: parcel.carrier.clone().unwrap_or_default(),
        shipped: Some((station.order(), parcel.id.to_string())),
        ..station.free()
    };
    leads_to(&free, Message::status(text))
}

fn units(fields: &Fields) -> Vec<Field<UnitsDraft>> {
    let units = fields.iter().filter_map(|(name, _)| {
        let id = name.strip_prefix(UNITS)?;
        Some(Field::Value(UnitsDraft {
            app_item_id: id.into(),
            quantity: fields.integer(name),
        }))
    });
    units.collect()
}

/// Returns whether `text` is the code of an order, item or batch, and thus no tracking number.
async fn names_an_order(visit: &SignedInRequest, text: &str) -> Result<bool> {
    let order = match text.parse() {
        Ok(ScannedCode::Item(code)) => code.order,
        Ok(ScannedCode::Order(order)) => order,
        Ok(ScannedCode::Batch(_)) => return Ok(true),
        Err(_) => return Ok(false),
    };
    match visit.order(order.to_string()).await {
        Ok(_) => Ok(true),
        // A tracking number can look like the number of an order that does not exist.
        Err(OrderError::NotFound) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
