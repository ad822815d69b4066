//! Ticket that accompanies a batch through the print shop: its items with codes, files and steps.

use askama::Template;
use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::production::{BatchHeader, ProducedItem, Steps};

use super::chosen::{Items, Sheets, items};
use crate::pages::order::item::{AreaRow, areas};
use crate::shell::frame::Frame;
use crate::shell::paths::print::TICKET;
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::Answer;
use crate::shell::time::When;
use crate::shell::view::{Barcode, Chip};

#[derive(Template)]
#[template(path = "print/ticket.html")]
struct TicketPage {
    frame: Frame,
    sheets: Sheets,
    title: String,
    name: String,
    barcode: Option<Barcode>,
    printed: When,
    rows: Vec<TicketRow>,
    units: u32,
}

struct TicketRow {
    barcode: Barcode,
    product: String,
    sku: String,
    units: u32,
    areas: Vec<AreaRow>,
    note: String,
    ship_class: String,
    country: String,
    due: Option<When>,
    late: Option<Chip>,
    batch: String,
    steps: Vec<StepRow>,
}

struct StepRow {
    name: String,
    /// Number of units done, such as `2 of 5`; empty if no unit is done.
    done: String,
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let Items {
        mut items,
        batch,
        has_more,
    } = items(&visit).await?;
    // A batch keeps the order in which it was made.
    if batch.is_none() {
        items.sort_by(|one, other| key(one).cmp(&key(other)));
    }
    let steps = visit.services().production.steps();
    let rows: Vec<TicketRow> = items
        .iter()
        .map(|item| row(item, steps, visit.zone()))
        .collect();
    let number = batch.as_ref().map(|batch| batch.number.to_string());
    let title = number.clone().unwrap_or_else(|| "Ticket".to_owned());
    Reply::page(&TicketPage {
        frame: visit.frame(&[&title, "Print"])?,
        sheets: Sheets::from_request(&visit, TICKET, has_more)?,
        title,
        name: batch
            .and_then(|batch: BatchHeader| batch.name)
            .unwrap_or_default(),
        barcode: number.map(|number| Barcode::new(&number)),
        printed: When::in_zone(visit.services().clock.now(), visit.zone()),
        units: rows.iter().map(|row| row.units).sum(),
        rows,
    })
}

/// Returns the sort key of a ticket outside a batch: SKU, ship class, then age of the order.
fn key(item: &ProducedItem) -> (&str, &str, pressline_domain::value::id::OrderId, u32) {
    let class = item.line.ship_class_or_standard();
    (&item.line.sku, class, item.place.order, item.state.number)
}

fn row(item: &ProducedItem, steps: &Steps, zone: &ZoneName) -> TicketRow {
    let production = &item.production;
    let (units, batch) = (&production.units, production.batch);
    let steps = steps.names().iter().enumerate();
    let steps = steps.map(|(position, step)| StepRow {
        name: step.to_string(),
        done: match units.done_at(position) {
            0 => String::new(),
            done => format!("{done} of {}", units.quantity()),
        },
    });
    TicketRow {
        barcode: Barcode::new(&item.code()),
        product: item.line.name.clone().unwrap_or_default(),
        sku: item.line.sku.clone(),
        units: item.line.quantity,
        areas: areas(&item.line),
        note: item.production_note.clone().unwrap_or_default(),
        ship_class: item.line.ship_class_or_standard().to_owned(),
        country: item.country_code.clone().unwrap_or_default(),
        due: production.due_at.map(|due| When::in_zone(due, zone)),
        late: production.is_late.then(Chip::late),
        batch: batch.map_or_else(String::new, |batch| batch.to_string()),
        steps: steps.collect(),
    }
}
