//! Ticket that accompanies a batch through the print shop: its items with codes, files and steps.

use askama::Template;
use pressline_backoffice::production::{BatchHeader, ProducedItem, Steps};
use pressline_domain::value::{OrderId, Timestamp};

use super::chosen::{Items, Sheets, items};
use crate::pages::order::item::areas;
use crate::shell::paths::print::TICKET;
use crate::shell::view::Barcode;
use crate::shell::{Answer, Chip, Frame, Reply, SignedInRequest};

#[derive(Template)]
#[template(path = "print/ticket.html")]
struct TicketPage {
    frame: Frame,
    sheets: Sheets,
    title: String,
    name: String,
    barcode: Option<Barcode>,
    printed: Timestamp,
    items: Vec<ProducedItem>,
    units: u32,
    steps: Steps,
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
        printed: visit.services().clock.now(),
        units: items.iter().map(|item| item.line.quantity).sum(),
        items,
        steps: visit.services().production.steps.clone(),
    })
}

fn key(item: &ProducedItem) -> (&str, &str, OrderId, u32) {
    let class = item.line.ship_class_or_standard();
    (&item.line.sku, class, item.place.order, item.state.number)
}
