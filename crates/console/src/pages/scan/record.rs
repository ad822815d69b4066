//! Processes the scans of a station: one code, or several codes that arrived as one text.

use pressline_backoffice::production::{
    OrderProduction, OrderProgress, ProductionError, ScanDraft, ScanOutcome, Stop,
};
use pressline_domain::order::OrderError;

use super::parcel;
use super::station::{Station, leads_to};
use crate::shell::{Answer, FormErrors, Message, Result, SignedInRequest, counted};

pub(super) const CODE: &str = "scan";
/// Field with the number of units to record; absent for all units that wait at the step.
pub(super) const UNITS: &str = "units";
/// Form field with a scan's id, so that a repeated send of the scan is recognised. The field `once`
/// would be unsuitable: it would refuse a scan of another code after `Back`.
pub(super) const REQUEST: &str = "request";

/// Processes the codes in the scanned text in turn, up to the first refusal.
pub(super) async fn submit(visit: &SignedInRequest, station: Station) -> Answer {
    let (production, operator) = (&visit.services().production, visit.operator());
    let scans = match production.scans(operator, visit.form().get(CODE)).await? {
        Ok(scans) => scans,
        Err(stop) => return leads_to(&station, Message::alert(sentence(&stop))),
    };
    let mut station = station;
    let mut message = Message::status("");
    for (position, text) in scans.iter().enumerate() {
        (station, message) = scan(visit, station, text).await?;
        let unread = scans.get(position + 1..).unwrap_or_default();
        if message.is_alert() && !unread.is_empty() {
            let rest = unread.join(", ");
            message.text = format!("{} Not done, scan again: {rest}.", message.text);
            break;
        }
    }
    if scans.len() > 1 && !message.is_alert() {
        message.text = format!("{} {} scans were done.", message.text, scans.len());
    }
    leads_to(&station, message)
}

async fn scan(visit: &SignedInRequest, station: Station, text: &str) -> Result<(Station, Message)> {
    let fields = visit.form();
    let draft = ScanDraft {
        step: station.step.clone(),
        text: text.to_owned(),
        units: fields.integer(UNITS),
        once: fields.text(REQUEST),
        carrier: parcel::carrier(visit, &station).await?.as_str().into(),
        confirms: station.confirms,
    };
    let (production, by) = (&visit.services().production, visit.by());
    let scanning = production.scan(visit.operator(), &station.bench, &draft, &by);
    let scanned = match scanning.await {
        Ok(scanned) => scanned,
        Err(error) => return Ok((station, Message::alert(reason(error)?))),
    };
    // Results of the previous scan, such as its batch, must not stay on the page.
    let mut next = Station {
        bench: scanned.bench,
        ..station.free()
    };
    // The marked item must belong to the order that the page shows.
    let code = scanned
        .item
        .filter(|code| next.bench.order.as_ref() == Some(&code.order));
    next.item = code.map_or_else(String::new, |code| code.to_string());
    let outcome = match scanned.outcome {
        Ok(outcome) => outcome,
        Err(stop) => {
            match &stop {
                Stop::Batch(number) => next.batch = Some(*number),
                // A label scanned too early is kept for the parcel form.
                Stop::EarlyLabel { label, .. } => next.tracking.clone_from(label),
                _ => {}
            }
            return Ok((next, Message::alert(sentence(&stop))));
        }
    };
    let text = in_sentences(&outcome, &station);
    if let ScanOutcome::Sent(order, shipment) = &outcome {
        next.carrier = shipment.carrier.clone().unwrap_or_default();
        next.shipped = Some((order.to_string(), shipment.id.to_string()));
    }
    let message = match outcome.is_repeated() {
        true => Message::unchanged(text),
        false => Message::status(text),
    };
    Ok((next, message))
}

fn in_sentences(outcome: &ScanOutcome, station: &Station) -> String {
    match outcome {
        ScanOutcome::Recorded {
            item,
            replayed,
            progress,
        } => {
            let (code, order) = (item.code(), &item.order);
            let step_progress = station.done(&item.production.units);
            let before = if *replayed {
                " was recorded before"
            } else {
                ""
            };
            let next = match progress {
                OrderProgress::Missing(units) => {
                    format!(" {} of {order} missing.", counted(*units, "unit"))
                }
                OrderProgress::Complete if station.is_last => {
                    format!(" {order} is complete: scan its label.")
                }
                OrderProgress::Complete => String::new(),
                OrderProgress::Sent => format!(" {order} was sent before."),
            };
            format!("{code}{before}: {step_progress}.{next}")
        }
        ScanOutcome::Chosen(order) => format!("{order}: scan its items."),
        ScanOutcome::Labelled { order, label, .. } => {
            format!("{label} is the label of {order}. Scan an item of {order} again to send it.")
        }
        ScanOutcome::Sent(order, shipment) => parcel::sent(&order.to_string(), shipment),
        ScanOutcome::SentBefore { label, order } => {
            format!("{order} was sent before, with the label {label}.")
        }
    }
}

fn sentence(stop: &Stop) -> String {
    let text = stop.to_string();
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).chain(['.']).collect()
}

/// Returns `Err` if an error page must show `error`.
fn reason(error: ProductionError) -> Result<String> {
    let errors = FormErrors::from_error(error)?;
    let first = errors.fields.into_iter().next();
    let reason = first.map_or(errors.message, |problem| {
        format!("{}: {}", problem.field, problem.message)
    });
    Ok(format!("Nothing was recorded: {reason}."))
}

/// Returns `None` without an open order, or if the operator has no access to the order.
pub(super) async fn present_order(
    visit: &SignedInRequest,
    station: &Station,
) -> Result<Option<OrderProduction>> {
    let Some(order_number) = &station.bench.order else {
        return Ok(None);
    };
    let production = &visit.services().production;
    let number = order_number.to_string().into();
    match production.of_order(visit.operator(), &number).await {
        Ok(order) => Ok(Some(order)),
        Err(ProductionError::Order(OrderError::NotFound)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
