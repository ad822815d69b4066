//! Items of an order, as its page shows them.

use pressline_backoffice::operator::ZoneName;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{LineItem, Order};

use crate::shell::view::{Foreign, TextComparison, money};
use crate::shell::{Chip, When};

pub(super) struct ItemRow {
    pub(super) code: String,
    pub(super) name: TextComparison,
    pub(super) sku: TextComparison,
    pub(super) units: TextComparison,
    pub(super) shipped: u32,
    pub(super) chip: Chip,
    /// Current status of the item, if the page shows an earlier version with another status.
    pub(super) now: Option<Chip>,
    /// Text about a waiting item, such as `held by the store, until …`; empty if it does not wait.
    pub(super) detail: String,
    pub(super) ship_class: TextComparison,
    pub(super) unit_cost: String,
    pub(super) areas: Vec<AreaRow>,
    pub(super) mockups: Vec<Foreign>,
    pub(super) is_removed: bool,
}

pub(crate) struct AreaRow {
    pub(crate) name: String,
    pub(crate) size: String,
    pub(crate) files: Vec<Foreign>,
}

pub(super) fn items(order: &Order, now: Option<&Order>, zone: &ZoneName) -> Vec<ItemRow> {
    let pairs = order.content.items.iter().zip(&order.state.items);
    pairs
        .map(|(line, state)| row(order, (line, state), now, zone))
        .collect()
}

fn row(
    order: &Order,
    (line, state): (&LineItem, &ItemState),
    now: Option<&Order>,
    zone: &ZoneName,
) -> ItemRow {
    let present = now.and_then(|now| now.line(line.id));
    let compared =
        |value: &dyn Fn(&LineItem) -> String| TextComparison::new(value(line), present.map(value));
    let now_state = now.and_then(|now| now.state.item(line.id));
    let moved = now_state.filter(|now| now.status != state.status);
    let cost = line.unit_cost;
    ItemRow {
        code: state.code(&order.service_order_id),
        name: compared(&|line| line.name.clone().unwrap_or_default()),
        sku: compared(&|line| line.sku.clone()),
        units: compared(&|line| line.quantity.to_string()),
        shipped: state.shipped_quantity,
        chip: Chip::from(state.status),
        now: moved.map(|now| Chip::from(now.status)),
        detail: detail(state, zone),
        ship_class: compared(&|line| line.ship_class_or_standard().to_owned()),
        unit_cost: cost.map_or_else(
            || "unknown".to_owned(),
            |cost| money(cost, order.content.currency),
        ),
        areas: areas(line),
        mockups: line
            .mockup_images
            .iter()
            .map(|url| Foreign::url(url))
            .collect(),
        is_removed: now.is_some() && present.is_none(),
    }
}

pub(crate) fn areas(line: &LineItem) -> Vec<AreaRow> {
    let files = line.files().into_iter();
    files
        .map(|file| AreaRow {
            name: file.area.name.clone(),
            size: file.area.size.clone(),
            files: file.file_urls.into_iter().map(Foreign::url).collect(),
        })
        .collect()
}

pub(crate) fn detail(state: &ItemState, zone: &ZoneName) -> String {
    let mut parts = Vec::new();
    if let Some(holder) = state.held_by {
        parts.push(format!("held by the {}", holder.as_str()));
    }
    if let Some(until) = state.hold_until {
        parts.push(format!("until {}", When::in_zone(until, zone).text()));
    }
    if let Some(base) = state.returns_to {
        parts.push(format!("then {base}"));
    }
    let window = state.window_end.filter(|_| state.is_waiting());
    if let Some(end) = window {
        parts.push(format!("until {}", When::in_zone(end, zone).text()));
    }
    parts.join(", ")
}
