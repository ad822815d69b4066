//! List of the parcels of all stores, and its export.

use askama::Template;
use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::parcels::ParcelsDraft;
use pressline_domain::check::limits;
use pressline_domain::fulfilment::{Shipment, ShipmentStatus};
use pressline_domain::order::{OrderError, ShipmentMatch};
use pressline_domain::value::Timestamp;
use pressline_domain::value::page::{Page, PageDraft};

use crate::shell::filter::is_filtered;
use crate::shell::filter::stores::{StoreNames, store_question, stores_draft};
use crate::shell::form::PAGE_FIELDS;
use crate::shell::form::with_errors;
use crate::shell::list::{self, Listed, first_of};
use crate::shell::paths::SHIPMENTS;
use crate::shell::view::{age, arrived, day_end, day_start, tracking};
use crate::shell::{
    Answer, CheckboxGroup, Chip, ErrorList, Fields, FormErrors, FormField, Frame, PageLinks,
    Paging, Reply, SignedInRequest,
};

const EXPORTED: usize = 10_000;

const EXPORT: &str = "/console/shipments/export.csv";

#[derive(Template)]
#[template(path = "shipment/list.html")]
struct ShipmentsPage {
    frame: Frame,
    questions: Vec<FormField>,
    statuses: CheckboxGroup,
    includes_test: bool,
    is_filtered: bool,
    parcels: Vec<ShipmentMatch>,
    now: Timestamp,
    links: Option<PageLinks>,
    has_more: bool,
    export: String,
    errors: Option<FormErrors>,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let (query, paging) = (visit.query(), Paging::from_query(visit.query())?);
    let read = |draft| parcels(&visit, draft);
    let listed = paging.listed((SHIPMENTS, query), limits::PAGE_SIZE, read);
    let Listed {
        entries,
        links,
        errors,
    } = listed.await?;
    let stores = StoreNames::new(&visit).await?;
    let page = ShipmentsPage {
        frame: visit.frame(&["Shipments"])?,
        questions: with_errors(questions(query, &stores), errors.as_ref()),
        statuses: statuses(query, errors.as_ref()),
        includes_test: query.chooses("test", "on"),
        is_filtered: is_filtered(query),
        parcels: entries,
        now: visit.services().clock.now(),
        has_more: links.as_ref().is_some_and(|links| links.next.is_some()),
        links,
        export: query.without(&PAGE_FIELDS).address(EXPORT),
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

/// Exports up to [`EXPORTED`] parcels, parcels of the newest orders first.
pub(crate) async fn export(visit: SignedInRequest) -> Answer {
    let visit = &visit;
    let read = |paging| async move {
        let page = parcels(visit, paging).await?;
        let rows = page.entries.iter().map(row);
        Ok(list::page(rows.collect(), page.next_cursor))
    };
    let (rows, _) = first_of(EXPORTED, limits::PAGE_SIZE, read).await?;
    let header = "order,carrier,trackingNumber,ref,status,units,shippedAt,deliveredAt,returnedAt";
    list::csv("shipments.csv", header, rows)
}

fn units(shipment: &Shipment) -> u32 {
    shipment.items.iter().map(|units| units.quantity).sum()
}

fn row(shipment_match: &ShipmentMatch) -> Vec<String> {
    let shipment = &shipment_match.shipment;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let moment = |at: Option<Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    vec![
        shipment_match.service_order_id.to_string(),
        text(&shipment.carrier),
        text(&shipment.tracking_number),
        text(&shipment.reference),
        shipment.status.as_str().to_owned(),
        units(shipment).to_string(),
        shipment.shipped_at.to_string(),
        moment(shipment.delivered_at),
        moment(shipment.returned_at),
    ]
}

async fn parcels(
    visit: &SignedInRequest,
    paging: PageDraft,
) -> Result<Page<ShipmentMatch>, OrderError> {
    let draft = draft(visit.query(), visit.zone(), paging);
    let services = visit.services();
    let (operator, stores) = (visit.operator(), &services.stores);
    let orders = &*services.repository;
    draft.find(orders, stores, operator).await
}

pub(super) fn draft(query: &Fields, zone: &ZoneName, paging: PageDraft) -> ParcelsDraft {
    ParcelsDraft {
        tracking_number: query.text("trackingNumber"),
        carrier: query.text("carrier"),
        statuses: query.texts("statuses"),
        from_time: day_start(query.get("fromTime"), zone),
        to_time: day_end(query.get("toTime"), zone),
        stores: stores_draft(query),
        paging,
    }
}

fn questions(query: &Fields, stores: &StoreNames) -> Vec<FormField> {
    let get = |name| query.get(name);
    vec![
        FormField::search("trackingNumber", "Tracking number", get("trackingNumber")),
        FormField::line("carrier", "Carrier", get("carrier")),
        FormField::day("fromTime", "Shipped from", get("fromTime")),
        FormField::day("toTime", "Shipped to", get("toTime")),
        store_question(query, stores),
    ]
}

pub(super) fn statuses(query: &Fields, errors: Option<&FormErrors>) -> CheckboxGroup {
    let values = ShipmentStatus::ALL.map(ShipmentStatus::as_str);
    CheckboxGroup::plain("statuses", "Statuses", values, query).errors(errors)
}
