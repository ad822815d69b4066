//! Parcel with the units done at the last step: its form, carrier and text.

use pressline_backoffice::production::OrderProduction;
use pressline_backoffice::queue::OrdersDraft;
use pressline_domain::check::{Field, limits};
use pressline_domain::fulfilment::Shipment;
use pressline_domain::order::OrderError;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::page::PageDraft;

use super::station::{CARRIER, Station};
use crate::shell::{FormErrors, FormField, Result, SignedInRequest, counted};

/// Name of the form field with the order's version at the time when the form was rendered.
pub(super) const VERSION: &str = "version";
/// Prefix of the names of form fields with the number of units to ship. The item's id follows.
pub(super) const UNITS: &str = "quantity.";
pub(super) const TRACKING: &str = "trackingNumber";

pub(super) struct ParcelForm {
    /// True if units of the order are left for another parcel.
    pub(super) is_part: bool,
    pub(super) units: u32,
    pub(super) hidden: Vec<(String, String)>,
    pub(super) questions: Vec<FormField>,
    pub(super) is_outdated: bool,
    pub(super) is_open: bool,
}

/// Returns `None` if nothing is packed, the station is not at the last production step, or the
/// operator may not ship.
pub(super) async fn form(
    visit: &SignedInRequest,
    station: &Station,
    order: &OrderProduction,
    errors: Option<&FormErrors>,
) -> Result<Option<ParcelForm>> {
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
        FormField::line(CARRIER, "Carrier", &carrier),
        FormField::line(TRACKING, "Tracking number", tracking).hint("Scan the label"),
    ]
    .into_iter();
    let is_part = order.missing(station.position) > 0;
    Ok(Some(ParcelForm {
        is_part,
        units,
        hidden,
        questions: questions.map(|question| question.errors(errors)).collect(),
        is_outdated: FormErrors::is_outdated(errors),
        is_open: !is_part || is_sent || !station.tracking.is_empty(),
    }))
}

pub(super) async fn carrier(
    visit: &SignedInRequest,
    station: &Station,
) -> Result<String, OrderError> {
    match station.carrier.as_str() {
        // Only the last step ships, so other steps save the search.
        "" if station.is_last => last_carrier(visit).await,
        carrier => Ok(carrier.to_owned()),
    }
}

pub(super) fn sent(order: &str, parcel: &Shipment) -> String {
    let units: u32 = parcel.items.iter().map(|units| units.quantity).sum();
    let by: Vec<&str> = [&parcel.carrier, &parcel.tracking_number]
        .into_iter()
        .filter_map(Option::as_deref)
        .collect();
    let text = format!(
        "{order} shipped: {}. {}",
        counted(units, "unit"),
        by.join(" ")
    );
    text.trim_end().to_owned()
}

/// Returns the carrier of the last parcel of the newest order with shipped items, or an empty text.
async fn last_carrier(visit: &SignedInRequest) -> Result<String, OrderError> {
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
    let result = queue
        .orders(visit.operator(), &draft, limits::PAGE_SIZE)
        .await?;
    let order = result.page.entries.first();
    let mut shipments = order
        .map(|order| order.shipments.as_slice())
        .unwrap_or_default()
        .iter()
        .rev();
    // A void parcel was recorded by mistake, and its carrier may be wrong.
    let last = shipments.find(|shipment| shipment.counts());
    Ok(last
        .and_then(|shipment| shipment.carrier.clone())
        .unwrap_or_default())
}
