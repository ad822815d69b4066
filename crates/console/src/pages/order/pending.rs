//! Open decisions: the store's requested change, and the print shop's need.

use pressline_backoffice::operator::ZoneName;
use pressline_domain::event::{FieldChange, Value};
use pressline_domain::fulfilment::ChangeRequest;
use pressline_domain::order::{Address, LineItem, Order};
use pressline_domain::value::{Currency, ItemId};

use super::cost::{Cost, cost};
use crate::shell::view::{money, signed_money, words};
use crate::shell::{Result, SignedInRequest, When};

pub(crate) struct PendingRow {
    pub(crate) what: String,
    pub(crate) reason: String,
    pub(crate) at: When,
    pub(crate) items: Vec<String>,
    pub(crate) changes: Vec<ChangeRow>,
    /// Cost of approving the change; `None` for an earlier version of the order.
    pub(crate) cost: Option<Cost>,
}

pub(crate) struct NeedRow {
    pub(crate) code: &'static str,
    pub(crate) text: String,
    pub(crate) amount: String,
    pub(crate) at: When,
    pub(crate) items: Vec<String>,
    pub(crate) answer: Option<(String, When)>,
}

/// Returns `None` if no change is pending. The cost is right only if `order` is current.
pub(crate) async fn requested(
    visit: &SignedInRequest,
    order: &Order,
) -> Result<Option<PendingRow>> {
    let Some(pending) = order.state.pending.as_ref() else {
        return Ok(None);
    };
    let cost = cost(visit, order, pending).await?;
    let row = pending_row(order, visit.zone());
    Ok(row.map(|row| PendingRow {
        cost: Some(cost),
        ..row
    }))
}

pub(super) fn pending_row(order: &Order, zone: &ZoneName) -> Option<PendingRow> {
    let pending = order.state.pending.as_ref()?;
    let changes = pending.changes.iter().filter(|change| change.is_shown());
    Some(PendingRow {
        what: what(&pending.request, zone),
        reason: pending.reason.clone().unwrap_or_default(),
        at: When::in_zone(pending.requested_at, zone),
        items: codes(order, &pending.items),
        changes: changes
            .map(|change| ChangeRow::new(change, order, zone))
            .collect(),
        cost: None,
    })
}

fn what(request: &ChangeRequest, zone: &ZoneName) -> String {
    match request {
        ChangeRequest::Update(_) => "Other values".to_owned(),
        ChangeRequest::Label { url } => format!("Another label: {url}"),
        ChangeRequest::Hold { until: None, .. } => "A hold".to_owned(),
        ChangeRequest::Hold {
            until: Some(until), ..
        } => {
            let until = When::in_zone(*until, zone);
            format!("A hold until {}", until.text())
        }
        ChangeRequest::Cancel { .. } => "A cancellation".to_owned(),
    }
}

/// Returns the print shop's questions to the store, the oldest question first.
pub(crate) fn needs(order: &Order, zone: &ZoneName) -> Vec<NeedRow> {
    let needs = order.state.needs.iter().map(|need| {
        let answer = need.answer.as_ref().map(|answer| {
            let accepted = match answer.accept {
                Some(true) => "Accepted. ",
                Some(false) => "Not accepted. ",
                None => "",
            };
            let text = answer.text.as_deref().unwrap_or_default();
            let at = When::in_zone(answer.answered_at, zone);
            (format!("{accepted}{text}"), at)
        });
        let amount = need.amount;
        NeedRow {
            code: need.code.as_str(),
            text: need.text.clone().unwrap_or_default(),
            amount: amount.map_or_else(String::new, |amount| money(amount, order.content.currency)),
            at: When::in_zone(need.requested_at, zone),
            items: codes(order, &need.items),
            answer,
        }
    });
    needs.collect()
}

fn codes(order: &Order, items: &[ItemId]) -> Vec<String> {
    let states = items.iter().filter_map(|id| order.state.item(*id));
    states
        .map(|state| state.code(&order.service_order_id))
        .collect()
}

pub(crate) struct ChangeRow {
    pub(crate) path: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

impl ChangeRow {
    pub(super) fn new(change: &FieldChange, order: &Order, zone: &ZoneName) -> Self {
        let currency = order.content.currency;
        Self {
            path: readable(change, order),
            old: text(&change.old, currency, zone),
            new: text(&change.new, currency, zone),
        }
    }
}

/// Returns the path of `change` in words, with the item's code instead of its id.
fn readable(change: &FieldChange, order: &Order) -> String {
    let Some((id, field)) = change.item_field() else {
        return words(&change.path);
    };
    let code = match order.state.item(id) {
        Some(item) => item.code(&order.service_order_id),
        None => id.to_string(),
    };
    format!("{code} {}", words(field)).trim_end().to_owned()
}

fn text(value: &Value, currency: Currency, zone: &ZoneName) -> String {
    match value {
        Value::None => String::new(),
        Value::Text(text) => text.clone(),
        Value::Texts(texts) => texts.join("\n"),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Time(moment) => When::in_zone(*moment, zone).text().to_owned(),
        Value::Amount(amount) => money(*amount, currency),
        Value::Status(status) => status.to_string(),
        Value::Holder(holder) => holder.as_str().to_owned(),
        Value::Customer(customer) => customer.name(),
        Value::Address(address) => lines(address),
        Value::Areas(areas) => joined(areas.iter().map(|area| area.name.clone())),
        Value::Bill(bill) => format!("total {}", money(bill.total(), currency)),
        Value::Item(item) => product(&item.line),
        Value::Line(line) => product(line),
        Value::Pending(pending) => pending.request.kind().as_str().to_owned(),
        Value::Needs(needs) => joined(needs.iter().map(|need| need.code.as_str().to_owned())),
        Value::ShipmentStatus(status) => status.as_str().to_owned(),
        Value::Shipment(shipment) => shipment.tracking_number.clone().unwrap_or_default(),
        Value::Orders(orders) => joined(orders.iter().map(ToString::to_string)),
        Value::Correction(line) => {
            let amount = signed_money(line.amount, currency);
            format!("{} {amount}: {}", line.fee.as_str(), line.reason)
        }
    }
}

fn product(line: &LineItem) -> String {
    format!("{} x {}", line.quantity, line.sku)
}

fn joined(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

pub(super) fn lines(address: &Address) -> String {
    let name = address.name.clone().or_else(|| {
        let parts: Vec<&str> = [&address.first_name, &address.last_name]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    });
    let city: Vec<&str> = [&address.zip, &address.city]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let rest = [
        address.company.clone(),
        address.address1.clone(),
        address.address2.clone(),
        (!city.is_empty()).then(|| city.join(" ")),
        address.province.clone(),
        address.country.clone(),
    ];
    let lines = [name].into_iter().chain(rest).flatten();
    lines.collect::<Vec<_>>().join("\n")
}
