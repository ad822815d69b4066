//! Recording what was scanned.

use pressline_domain::field::Field;
use pressline_domain::order::OrderError;
use pressline_domain::order::request::ShipmentDraft;
use pressline_domain::production::{
    InvalidCode, ItemCode, OrderProduction, OutOfOrder, ProductionError, RecordDraft, ScannedCode,
};
use pressline_http::request_error::RequestError;

use super::page::{in_words, missing, packed};
use super::station::Station;
use super::{CODE, leads_to};
use crate::form::FormErrors;
use crate::message::Message;
use crate::route::Answer;
use crate::visit::Visit;

/// Absent for all units that wait.
pub(super) const UNITS: &str = "units";
/// Identifies a repeated record. It is not `once`: a station scans the next code with a page that its browser
/// has kept, and that is another record.
pub(super) const REQUEST: &str = "request";
/// Maximum number of characters of a tracking number.
const TRACKING_LEN: usize = 64;
/// Characters of a scanned text that a message repeats.
const REPEATED: usize = 60;

pub(super) async fn submit(visit: &Visit, station: Station) -> Answer {
    let scanned = visit.form().get(CODE).trim();
    match scanned.parse() {
        Ok(ScannedCode::Item(code)) => item(visit, &station, &code).await,
        Ok(ScannedCode::Order(number)) => order(visit, &station, number.to_string()).await,
        Ok(ScannedCode::Batch(number)) => {
            let text = format!("Nothing recorded: {number} is a batch. Scan its items.");
            let station = Station {
                batch: Some(number),
                ..station
            };
            leads_to(&station, Message::alert(text))
        }
        Err(InvalidCode) => no_code(visit, &station, scanned).await,
    }
}

async fn item(visit: &Visit, station: &Station, code: &ItemCode) -> Answer {
    let is_other = !station.order.is_empty() && station.order != code.order.to_string();
    // At the last step orders are brought together; before it, those of a batch come mixed.
    if station.is_last && is_other {
        let present = present_order(visit, station).await?;
        let left = present.map_or(0, |present| missing(&present, station.position));
        if left > 0 {
            let text = format!(
                "Nothing recorded: {code} is of another order, and {} of {} missing.",
                in_words(left),
                station.order
            );
            let station = Station {
                other: Some(code.clone()),
                ..station.clone()
            };
            return leads_to(&station, Message::alert(text));
        }
    }
    let fields = visit.form();
    let units = fields.integer(UNITS);
    let draft = RecordDraft {
        item_code: code.to_string().into(),
        step: station.step.as_str().into(),
        // Without a number of units, a repetition is recognised by the units that are done.
        once: match units.is_absent() {
            true => Field::Absent,
            false => fields.text(REQUEST),
        },
        units,
    };
    let (production, by) = (&visit.services().production, visit.by());
    match production.record(visit.operator(), &draft, &by).await {
        Ok(recorded) => {
            let done = station.done(&recorded.item.production.units);
            let text = match recorded.replayed {
                true => format!("{code} was recorded before: {done}."),
                false => format!("{code}: {done}."),
            };
            leads_to(&station.at_item(code), Message::status(text))
        }
        Err(error) => {
            let at = match is_unknown(&error) {
                true => station.free(),
                false => station.at_item(code),
            };
            let reason = reason(error, code)?;
            let text = format!("Nothing recorded: {reason}.");
            leads_to(&at, Message::alert(text))
        }
    }
}

fn is_unknown(error: &ProductionError) -> bool {
    matches!(
        error,
        ProductionError::Order(OrderError::NotFound | OrderError::UnknownItem(_))
    )
}

/// Returns errors that no other scan can avoid.
fn reason(error: ProductionError, code: &ItemCode) -> Result<String, RequestError> {
    Ok(match error {
        ProductionError::OutOfOrder(OutOfOrder {
            step: Some(step),
            available: 0,
            ..
        }) => format!("no unit of {code} waits at {step}"),
        ProductionError::OutOfOrder(OutOfOrder {
            step: Some(step),
            available,
            ..
        }) => format!("only {} of {code} at {step}", in_words(available)),
        ProductionError::OutOfOrder(OutOfOrder { available, .. }) => {
            format!("{} of {code} can be misprinted", in_words(available))
        }
        ProductionError::Order(OrderError::NotFound) => format!("there is no order {}", code.order),
        ProductionError::Order(OrderError::UnknownItem(_)) => {
            format!("{} has no item {code}", code.order)
        }
        ProductionError::Order(OrderError::IllegalTransition { from, .. }) => {
            format!("{code} is {from}")
        }
        error => other_reason(error)?,
    })
}

fn other_reason(error: ProductionError) -> Result<String, RequestError> {
    let errors = FormErrors::of(error)?;
    let first = errors.fields.into_iter().next();
    Ok(first.map_or(errors.message, |problem| {
        format!("{}: {}", problem.field, problem.message)
    }))
}

async fn order(visit: &Visit, station: &Station, number: String) -> Answer {
    let at = station.at_order(number);
    if present_order(visit, &at).await?.is_none() {
        let text = format!("Nothing recorded: there is no order {}.", at.order);
        return leads_to(&station.free(), Message::alert(text));
    }
    let text = format!("{}: scan its items.", at.order);
    leads_to(&at, Message::status(text))
}

/// `None` if the station has no order, or an unknown one.
pub(super) async fn present_order(
    visit: &Visit,
    station: &Station,
) -> Result<Option<OrderProduction>, RequestError> {
    if station.order.is_empty() {
        return Ok(None);
    }
    let number = station.order.as_str().into();
    let production = &visit.services().production;
    match production.of_order(visit.operator(), &number).await {
        Ok(found) => Ok(Some(found)),
        Err(ProductionError::Order(OrderError::NotFound)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Answers a text that is not a code, such as the tracking number of a label.
async fn no_code(visit: &Visit, station: &Station, scanned: &str) -> Answer {
    let is_short = scanned.chars().count() <= TRACKING_LEN;
    if station.is_last && is_short && !scanned.is_empty() {
        let present = present_order(visit, station).await?;
        let can_be_shipped = present.is_some_and(|order| !packed(&order, station).is_empty());
        if can_be_shipped {
            let text = format!("Tracking number {scanned}: ship, if it is that of this parcel.");
            let station = Station {
                tracking: scanned.to_owned(),
                other: None,
                batch: None,
                ..station.clone()
            };
            return leads_to(&station, Message::status(text));
        }
    }
    let shown: String = scanned.chars().take(REPEATED).collect();
    let text = match parcel_of(visit, scanned).await? {
        Some(order) => format!("Nothing recorded: {shown} is the parcel of {order}."),
        None => format!("Nothing recorded: \"{shown}\" is {}.", InvalidCode),
    };
    leads_to(station, Message::alert(text))
}

async fn parcel_of(visit: &Visit, scanned: &str) -> Result<Option<String>, RequestError> {
    let draft = ShipmentDraft {
        tracking_number: scanned.into(),
        ..ShipmentDraft::default()
    };
    let orders = &visit.services().orders;
    match orders.find_shipments(visit.reach(), &draft).await {
        Ok(found) => {
            let first = found.shipments.into_iter().next();
            Ok(first.map(|found| found.service_order_id.to_string()))
        }
        // The text is no tracking number.
        Err(OrderError::Invalid { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
