//! Changed values in responses: in a pending change, and in the history of an order.

use pressline_domain::event::{FieldChange, Value};
use pressline_domain::money::Currency;
use pressline_domain::order::LineItem;
use pressline_domain::pricing::corrections::Correction;
use pressline_domain::pricing::fees::Bill;
use serde::ser::{Serialize, SerializeSeq, Serializer};
use utoipa::ToSchema;

use super::address::{AddressResponse, CustomerResponse};
use super::life::{NeedResponse, PendingResponse, ShipmentResponse};
use crate::response::money::{Money, SignedMoney};
use crate::response::text::Text;

/// A field of an order with its value before and after a change.
#[derive(serde::Serialize, ToSchema)]
#[schema(as = FieldChange)]
pub(crate) struct ChangeResponse<'a> {
    /// The path of the field in responses, such as `shippingAddress.city`.
    path: &'a str,
    /// The value before; null if there was none.
    #[schema(value_type = Option<serde_json::Value>, required)]
    old: ValueResponse<'a>,
    /// The value after; null if there is none.
    #[schema(value_type = Option<serde_json::Value>, required)]
    new: ValueResponse<'a>,
}

impl<'a> ChangeResponse<'a> {
    /// Returns those of the changes that responses show.
    pub(crate) fn shown(changes: &'a [FieldChange], currency: Currency) -> Vec<Self> {
        let shown = changes.iter().filter(|change| change.is_shown());
        let responses = shown.map(|change| Self {
            path: &change.path,
            old: ValueResponse(&change.old, currency),
            new: ValueResponse(&change.new, currency),
        });
        responses.collect()
    }
}

/// A value, written as the field of an order has it. Amounts are in major units of the currency.
struct ValueResponse<'a>(&'a Value, Currency);

impl Serialize for ValueResponse<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value, currency) = *self;
        match value {
            Value::None => serializer.serialize_none(),
            Value::Text(text) => text.serialize(serializer),
            Value::Texts(texts) => texts.serialize(serializer),
            Value::Integer(number) => number.serialize(serializer),
            Value::Number(number) => number.serialize(serializer),
            Value::Flag(flag) => flag.serialize(serializer),
            Value::Time(time) => Text(time).serialize(serializer),
            Value::Amount(amount) => Money(*amount, currency).serialize(serializer),
            Value::Status(status) => status.as_str().serialize(serializer),
            Value::Holder(holder) => holder.as_str().serialize(serializer),
            Value::ShipmentStatus(status) => status.as_str().serialize(serializer),
            Value::Customer(customer) => CustomerResponse::of(customer).serialize(serializer),
            Value::Address(address) => AddressResponse::of(Some(address)).serialize(serializer),
            Value::Areas(areas) => list(serializer, areas.iter().map(|area| area.name.as_str())),
            Value::Bill(bill) => list(serializer, lines(bill, currency)),
            Value::Item(item) => ItemValue::of(&item.line, currency).serialize(serializer),
            Value::Line(line) => ItemValue::of(line, currency).serialize(serializer),
            Value::Pending(pending) => PendingResponse::of(pending, currency).serialize(serializer),
            Value::Needs(needs) => {
                let needs = needs.iter().map(|need| NeedResponse::of(need, currency));
                list(serializer, needs)
            }
            Value::Shipment(shipment) => ShipmentResponse::of(shipment).serialize(serializer),
            Value::Orders(orders) => list(serializer, orders.iter().map(Text)),
            Value::Correction(line) => LineValue::of_operator(line, currency).serialize(serializer),
        }
    }
}

fn list<S: Serializer, T: Serialize>(
    serializer: S,
    values: impl Iterator<Item = T>,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(None)?;
    for value in values {
        list.serialize_element(&value)?;
    }
    list.end()
}

/// A fee line that was or is part of an order.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct LineValue<'a> {
    #[serde(rename = "type")]
    fee: &'static str,
    item_id: Option<Text<pressline_domain::id::ItemId>>,
    amount: SignedMoney,
    rule: &'a str,
}

impl<'a> LineValue<'a> {
    fn of_operator(line: &'a Correction, currency: Currency) -> Self {
        Self {
            fee: line.fee.as_str(),
            item_id: line.item.map(Text),
            amount: SignedMoney(line.amount, currency),
            rule: &line.reason,
        }
    }
}

fn lines(bill: &Bill, currency: Currency) -> impl Iterator<Item = LineValue<'_>> {
    bill.lines().iter().map(move |line| LineValue {
        fee: line.fee.as_str(),
        item_id: line.item.map(Text),
        amount: SignedMoney(line.amount.minor_units(), currency),
        rule: &line.rule,
    })
}

/// An item that was added or removed.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemValue<'a> {
    id: Text<pressline_domain::id::ItemId>,
    sku: &'a str,
    name: Option<&'a str>,
    quantity: u32,
    ref_id: Option<&'a str>,
    ship_class: Option<&'a str>,
    file_urls: &'a [String],
    mockup_images: &'a [String],
    seller_cost: Option<Money>,
}

impl<'a> ItemValue<'a> {
    fn of(line: &'a LineItem, currency: Currency) -> Self {
        Self {
            id: Text(line.id),
            sku: &line.sku,
            name: line.name.as_deref(),
            quantity: line.quantity,
            ref_id: line.ref_id.as_deref(),
            ship_class: line.ship_class.as_deref(),
            file_urls: &line.file_urls,
            mockup_images: &line.mockup_images,
            seller_cost: line.unit_cost.map(|cost| Money(cost, currency)),
        }
    }
}
