//! Links to the labels that stores have prepared.

use askama::Template;
use pressline_domain::order::Order;

use super::chosen::Sheets;
use super::chosen::{is_produced, orders};
use crate::shell::paths::order::path;
use crate::shell::paths::print::LABELS;
use crate::shell::view::country;
use crate::shell::view::{Barcode, Foreign};
use crate::shell::{Answer, Frame, Reply, SignedInRequest};

#[derive(Template)]
#[template(path = "print/labels.html")]
struct LabelsPage {
    frame: Frame,
    sheets: Sheets,
    rows: Vec<LabelRow>,
}

struct LabelRow {
    number: String,
    path: String,
    barcode: Barcode,
    link: Foreign,
    /// Number of unshipped units.
    units: u32,
    country: String,
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let chosen = orders(&visit).await?;
    let rows = chosen.orders.iter().filter_map(row);
    Reply::page(&LabelsPage {
        frame: visit.frame(&["Prepared labels"])?,
        sheets: Sheets::from_request(&visit, LABELS, chosen.has_more)?,
        rows: rows.collect(),
    })
}

fn row(order: &Order) -> Option<LabelRow> {
    let label = order.content.label_url.as_deref()?;
    let number = order.service_order_id.to_string();
    let states = order.state.items.iter();
    let produced = states.filter(|item| is_produced(item.status));
    Some(LabelRow {
        path: path(&number),
        barcode: Barcode::new(&number),
        link: Foreign::url(label),
        units: produced.map(|item| order.unshipped(item.id)).sum(),
        country: country(order),
        number,
    })
}
