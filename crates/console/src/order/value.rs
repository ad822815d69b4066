//! Changed fields of an order in words.

use pressline_domain::event::{FieldChange, Value};
use pressline_domain::money::Currency;
use pressline_domain::operator::ZoneName;
use pressline_domain::order::{Address, LineItem, Order};

use crate::time::When;
use crate::view::{money, signed_money};

/// Prefix of the path of an item's field.
const ITEMS: &str = "childDetails[";

pub(crate) struct ChangeRow {
    pub(crate) path: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

impl ChangeRow {
    pub(super) fn of(change: &FieldChange, order: &Order, zone: &ZoneName) -> Self {
        let currency = order.content.currency;
        Self {
            path: readable(&change.path, order),
            old: text(&change.old, currency, zone),
            new: text(&change.new, currency, zone),
        }
    }
}

/// Replaces the item's id in a path by its code.
fn readable(path: &str, order: &Order) -> String {
    let Some((id, rest)) = path
        .strip_prefix(ITEMS)
        .and_then(|rest| rest.split_once(']'))
    else {
        return path.to_owned();
    };
    let mut items = order.state.items.iter();
    let item = items.find(|item| item.id.to_string() == id);
    let code = item.map_or_else(|| id.to_owned(), |item| item.code(&order.service_order_id));
    format!("{code}{}", rest.replacen('.', " ", 1))
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
        let parts = [&address.first_name, &address.last_name];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    });
    let city = [&address.zip, &address.city];
    let city: Vec<&str> = city.into_iter().flatten().map(String::as_str).collect();
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
