//! Shipping the units that are done at the last step.

use pressline_domain::field::Field;
use pressline_domain::fulfilment::Shipment;
use pressline_domain::order::queue::OrdersDraft;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{GetDraft, OrderError};
use pressline_domain::page::PageDraft;
use pressline_domain::production::{OrderProduction, ScannedCode};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::leads_to;
use super::page::refused;
use super::station::{CARRIER, Station};
use crate::form::{Fields, FormErrors, Question};
use crate::list::counted;
use crate::message::Message;
use crate::route::Answer;
use crate::visit::Visit;

/// Version of the order that the form was made of.
const VERSION: &str = "version";
/// Prefix of field names, followed by the item's id.
const UNITS: &str = "quantity.";
const TRACKING: &str = "trackingNumber";

pub(super) struct ShipForm {
    /// Whether units of the order stay behind.
    pub(super) is_part: bool,
    /// In the parcel.
    pub(super) units: u32,
    pub(super) hidden: Vec<(String, String)>,
    pub(super) questions: Vec<Question>,
    /// Whether the order has changed since the form was made.
    pub(super) is_outdated: bool,
    pub(super) is_open: bool,
}

/// `None` if nothing is packed, or the operator may not ship.
pub(super) async fn form(
    visit: &Visit,
    station: &Station,
    order: &OrderProduction,
    errors: Option<&FormErrors>,
) -> Result<Option<ShipForm>, RequestError> {
    let packed = order.packed();
    let may_ship = visit.operator().may("shipments/create");
    if !station.is_last || packed.is_empty() || !may_ship {
        return Ok(None);
    }
    let mut hidden = vec![(VERSION.to_owned(), order.order.state.version.to_string())];
    let units: u32 = packed.iter().map(|(_, units)| units).sum();
    hidden.extend(
        packed
            .into_iter()
            .map(|(item, units)| (format!("{UNITS}{}", item.line.id), units.to_string())),
    );
    let sent = visit.form();
    let is_sent = sent.has(VERSION);
    let carrier = match is_sent {
        true => sent.get(CARRIER).to_owned(),
        false => carrier(visit, station).await?,
    };
    let tracking = match is_sent {
        true => sent.get(TRACKING),
        false => station.bench.label.as_deref().unwrap_or(&station.tracking),
    };
    let questions = [
        Question::line(CARRIER, "Carrier", &carrier),
        Question::line(TRACKING, "Tracking number", tracking).hint("Scan the label"),
    ];
    let questions = questions.into_iter();
    let is_part = order.missing(station.position) > 0;
    Ok(Some(ShipForm {
        is_part,
        units,
        hidden,
        questions: questions.map(|question| question.errors(errors)).collect(),
        is_outdated: errors.is_some_and(|errors| errors.code == Code::VersionConflict),
        is_open: !is_part || is_sent || !station.tracking.is_empty(),
    }))
}

/// Carrier of the station's next parcel; empty if it is not known.
pub(super) async fn carrier(visit: &Visit, station: &Station) -> Result<String, OrderError> {
    match station.carrier.as_str() {
        "" if station.is_last => last_carrier(visit).await,
        carrier => Ok(carrier.to_owned()),
    }
}

/// Text with the units, carrier and tracking number of a shipped parcel.
pub(super) fn sent(order: &str, parcel: &Shipment) -> String {
    let units: u32 = parcel.items.iter().map(|units| units.quantity).sum();
    let by = [&parcel.carrier, &parcel.tracking_number];
    let by: Vec<&str> = by.into_iter().filter_map(Option::as_deref).collect();
    let text = format!(
        "{order} shipped: {}. {}",
        counted(units, "unit"),
        by.join(" ")
    );
    text.trim_end().to_owned()
}

/// Carrier of the latest shipped order; empty if there is none.
async fn last_carrier(visit: &Visit) -> Result<String, OrderError> {
    let draft = OrdersDraft {
        search: SearchDraft {
            statuses: Field::Value(vec!["fulfilled".into()]),
            paging: PageDraft {
                size: 1.into(),
                ..PageDraft::default()
            },
            ..SearchDraft::default()
        },
        ..OrdersDraft::default()
    };
    let queue = &visit.services().queue;
    let found = queue.orders(visit.operator(), &draft).await?;
    let order = found.page.entries.first();
    let shipments = order.map(|order| order.shipments.as_slice());
    let mut shipments = shipments.unwrap_or_default().iter().rev();
    let last = shipments.find(|shipment| shipment.counts());
    Ok(last
        .and_then(|shipment| shipment.carrier.clone())
        .unwrap_or_default())
}

pub(super) async fn submit(visit: &Visit, station: Station) -> Answer {
    let fields = visit.form();
    let tracking = fields.get(TRACKING).trim();
    if names_an_order(visit, tracking).await? {
        let message = "this is a code of the shop, not the number of a parcel; scan the label";
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
    let shipped = orders.create_shipment(visit.reach(), &draft, &by);
    let shipped = match shipped.await {
        Ok(shipped) => shipped,
        Err(error) => return refused(visit, station, FormErrors::of(error)?).await,
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

/// True for an order number and an item code: the next item was scanned instead of the label.
async fn names_an_order(visit: &Visit, text: &str) -> Result<bool, RequestError> {
    let order = match text.parse() {
        Ok(ScannedCode::Item(code)) => code.order,
        Ok(ScannedCode::Order(order)) => order,
        Ok(ScannedCode::Batch(_)) => return Ok(true),
        Err(_) => return Ok(false),
    };
    let draft = GetDraft {
        order_id: order.to_string().into(),
        ..GetDraft::default()
    };
    match visit.services().orders.get(visit.reach(), &draft).await {
        Ok(_) => Ok(true),
        Err(OrderError::NotFound) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
