//! Links to the labels that stores have prepared.

use askama::Template;
use pressline_domain::order::Order;

use super::chosen::Sheets;
use super::chosen::{is_produced, orders};
use crate::shell::paths::print::LABELS;
use crate::shell::view::country;
use crate::shell::view::{Barcode, Foreign};
use crate::shell::{Answer, Frame, Reply, SignedInRequest};

#[derive(Template)]
#[template(path = "print/labels.html")]
struct LabelsPage {
    frame: Frame,
    sheets: Sheets,
    orders: Vec<Order>,
}

pub(super) async fn show(visit: SignedInRequest) -> Answer {
    let mut chosen = orders(&visit).await?;
    let has_label = |order: &Order| order.content.label_url.is_some();
    chosen.orders.retain(has_label);
    Reply::page(&LabelsPage {
        frame: visit.frame(&["Prepared labels"])?,
        sheets: Sheets::from_request(&visit, LABELS, chosen.has_more)?,
        orders: chosen.orders,
    })
}

/// Returns the number of units of `order` that are ready or in production, and not shipped.
fn units(order: &Order) -> u32 {
    let states = order.state.items.iter();
    let produced = states.filter(|item| is_produced(item.status));
    produced.map(|item| order.unshipped(item.id)).sum()
}
