//! Page of a station, and the choice of a station.

use askama::Template;
use pressline_backoffice::limits;
use pressline_backoffice::production::{OrderProduction, ProducedItem, Steps};

use super::parcel::{self, ParcelForm};
use super::record::{CODE, REQUEST, UNITS, present_order};
use super::station::{CARRIER, CONFIRM, SCAN, STEP, Station};
use crate::shell::form::with_errors;
use crate::shell::message::Tone;
use crate::shell::paths::order::path;
use crate::shell::paths::print::{slip_of, ticket_of};
use crate::shell::view::{Foreign, country};
use crate::shell::{
    Answer, Chip, ErrorList, Fields, FormErrors, FormField, Frame, Message, Reply, Result,
    SignedInRequest,
};

pub(super) const COMMAND: &str = "command";
pub(super) const MISPRINT: &str = "misprint";
pub(super) const SHIP: &str = "ship";
pub(super) const ITEM_CODE: &str = "itemCode";

#[derive(Template)]
#[template(path = "scan/steps.html")]
struct StepsPage {
    frame: Frame,
    steps: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "scan/station.html")]
struct StationPage {
    frame: Frame,
    here: String,
    /// `None` unless the station is at the last production step.
    settings: Option<Settings>,
    result: Option<Message>,
    panel: Option<Panel>,
    other: Option<Other>,
    /// Number of the batch that was just scanned, and URL of its ticket.
    batch: Option<(String, String)>,
    /// Number of the order that was just shipped, and URL of its packing slip.
    shipped: Option<(String, String)>,
    station: Station,
    steps: Steps,
    request: String,
    errors: Option<FormErrors>,
}

struct Settings {
    step: String,
    carrier: String,
    confirms: bool,
}

/// Scanned code of an order other than the station's open order. The scan is not recorded.
struct Other {
    code: String,
    path: String,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    match Station::from_request(&visit) {
        Some(station) => Reply::page(&page(&visit, &station, None).await?),
        None => Reply::page(&steps(&visit)?),
    }
}

pub(super) async fn refused(
    visit: &SignedInRequest,
    station: Station,
    errors: FormErrors,
) -> Answer {
    let page = page(visit, &station, Some(errors)).await?;
    Reply::form(&page, page.errors.as_ref())
}

fn steps(visit: &SignedInRequest) -> Result<StepsPage> {
    let steps = visit
        .services()
        .production
        .steps
        .names()
        .iter()
        .map(|step| {
            let address = Fields::new([(STEP, step.as_str())]).address(SCAN);
            (step.to_string(), address)
        });
    Ok(StepsPage {
        frame: visit.frame(&["Scan"])?,
        steps: steps.collect(),
    })
}

async fn page(
    visit: &SignedInRequest,
    station: &Station,
    errors: Option<FormErrors>,
) -> Result<StationPage> {
    let mut frame = visit.frame(&[&format!("Scan at {}", station.step)])?;
    let panel = match present_order(visit, station).await? {
        Some(order_production) => {
            Some(Panel::new(visit, station, &order_production, errors.as_ref()).await?)
        }
        None => None,
    };
    let other = station.bench.other.as_ref().map(|code| Other {
        code: code.to_string(),
        path: station.free().address(),
    });
    let batch = station.batch.map(|number| {
        let number = number.to_string();
        (number.clone(), ticket_of(&number))
    });
    let shipped = station.shipped.as_ref();
    frame.way_out = Some(("Leave", SCAN));
    Ok(StationPage {
        // The message is the result of the scan, to be read from afar.
        result: frame.message.take(),
        here: station.address(),
        settings: station.is_last.then(|| Settings {
            step: station.step.to_string(),
            carrier: station.carrier.clone(),
            confirms: station.confirms,
        }),
        panel,
        other,
        batch,
        shipped: shipped.map(|(order, shipment)| (order.clone(), slip_of(order, Some(shipment)))),
        // Not the field `once`: after `Back`, the same page must record the next code (ADR 31).
        request: frame.once(),
        station: station.clone(),
        steps: visit.services().production.steps.clone(),
        errors,
        frame,
    })
}

pub(super) struct Panel {
    pub(super) number: String,
    pub(super) path: String,
    pub(super) missing: u32,
    pub(super) held_back: Option<String>,
    pub(super) note: String,
    pub(super) country: String,
    pub(super) ship_classes: String,
    pub(super) label: Option<Foreign>,
    pub(super) items: Vec<ProducedItem>,
    /// Inputs of the form that reports misprinted units; empty if no unit can be misprinted.
    pub(super) misprint: Vec<FormField>,
    pub(super) is_misprint_open: bool,
    pub(super) ship: Option<ParcelForm>,
    pub(super) slip: String,
}

impl Panel {
    pub(super) async fn new(
        visit: &SignedInRequest,
        station: &Station,
        order_production: &OrderProduction,
        errors: Option<&FormErrors>,
    ) -> Result<Self> {
        let number = order_production.order.service_order_id.to_string();
        let content = &order_production.order.content;
        let sent = visit.form();
        let is_misprint_open = errors.is_some() && sent.get(COMMAND) == MISPRINT;
        Ok(Self {
            path: path(&number),
            missing: order_production.missing(station.position),
            held_back: order_production
                .held_back()
                .map(|reason| reason.to_string()),
            note: content.production_note.clone().unwrap_or_default(),
            country: country(&order_production.order),
            ship_classes: ship_classes(order_production),
            label: content.label_url.as_deref().map(Foreign::url),
            items: order_production.items.clone(),
            misprint: misprint_questions(order_production, station, sent, errors),
            is_misprint_open,
            ship: parcel::form(visit, station, order_production, errors).await?,
            slip: slip_of(&number, None),
            number,
        })
    }
}

/// Returns how many units of `item` are at which place, such as `2 at check, 1 done, 3 shipped`.
fn places(item: &ProducedItem, steps: &Steps) -> String {
    let (units, shipped) = (&item.production.units, item.state.shipped_quantity);
    let names = steps.names().iter().enumerate();
    let waiting = names.map(|(position, step)| (units.waiting_at(position), format!("at {step}")));
    let last = steps.names().len().saturating_sub(1);
    // Shipped units are done at the last step too.
    let done_units = units.done_at(last).saturating_sub(shipped);
    let rest = [
        (done_units, "done".to_owned()),
        (shipped, "shipped".to_owned()),
    ];
    let places: Vec<String> = waiting
        .chain(rest)
        .filter(|(units, _)| *units > 0)
        .map(|(units, place)| format!("{units} {place}"))
        .collect();
    places.join(", ")
}

fn ship_classes(order: &OrderProduction) -> String {
    let mut classes: Vec<&str> = Vec::new();
    for item in order.at_work() {
        let class = item.line.ship_class_or_standard();
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    classes.join(", ")
}

fn misprint_questions(
    order: &OrderProduction,
    station: &Station,
    fields: &Fields,
    errors: Option<&FormErrors>,
) -> Vec<FormField> {
    let printed = order
        .at_work()
        .filter(|item| item.production.units.unshipped() > 0);
    let options: Vec<(String, String)> = printed
        .map(|item| {
            let name = item.line.name.as_deref().unwrap_or(&item.line.sku);
            (item.code(), format!("{} {name}", item.code()))
        })
        .collect();
    if options.is_empty() {
        return Vec::new();
    }
    let typed = |name, otherwise| match fields.has(name) {
        true => fields.get(name),
        false => otherwise,
    };
    let questions = vec![
        FormField::choice(ITEM_CODE, "Item", typed(ITEM_CODE, &station.item), options),
        FormField::line("units", "Misprinted units", typed("units", "1")).required(),
        FormField::line("reason", "Reason", fields.get("reason")).required(),
    ];
    with_errors(questions, errors)
}
