//! Changes of values in responses: in a pending change, and in an order's events.

use std::borrow::Cow;

use pressline_domain::event::{FieldChange, Value};
use pressline_domain::order::LineItem;
use pressline_domain::value::Currency;
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::address::{AddressResponse, CustomerResponse};
use crate::response::{Money, Text};

/// A changed field of an order, with its `old` and its `new` value.
#[derive(serde::Serialize, ToSchema)]
#[schema(as = FieldChange)]
pub(crate) struct ChangeResponse<'a> {
    /// Path of the field in responses, such as `shippingAddress.city`, or
    /// `childDetails[<id>].quantity` with the `id` of an entry.
    path: Cow<'a, str>,
    /// Value before the change; `null` if the field had no value.
    #[schema(value_type = Option<serde_json::Value>, required)]
    old: ValueResponse<'a>,
    /// Value after the change; `null` if the field has no value.
    #[schema(value_type = Option<serde_json::Value>, required)]
    new: ValueResponse<'a>,
}

impl<'a> ChangeResponse<'a> {
    /// Returns the JSON of requested `changes`, without the changes that responses do not show.
    pub(crate) fn requested(changes: &'a [FieldChange], currency: Currency) -> Vec<Self> {
        let shown = changes.iter().filter(|change| change.is_shown());
        let responses = shown.map(|change| Self {
            path: Cow::Borrowed(&change.path),
            old: ValueResponse::Requested(&change.old, currency),
            new: ValueResponse::Requested(&change.new, currency),
        });
        responses.collect()
    }
}

impl ChangeResponse<'static> {
    /// Returns the change from `old` to `new`, which already are the JSON of responses.
    pub(super) fn written(path: &str, old: &RawValue, new: &RawValue) -> Self {
        Self {
            path: Cow::Owned(path.to_owned()),
            old: ValueResponse::Written(old.to_owned()),
            new: ValueResponse::Written(new.to_owned()),
        }
    }
}

enum ValueResponse<'a> {
    Requested(&'a Value, Currency),
    Written(Box<RawValue>),
}

impl Serialize for ValueResponse<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (value, currency) = match self {
            Self::Requested(value, currency) => (*value, *currency),
            Self::Written(value) => return value.serialize(serializer),
        };
        match value {
            Value::None => serializer.serialize_none(),
            Value::Text(text) => text.serialize(serializer),
            Value::Texts(texts) => texts.serialize(serializer),
            Value::Integer(number) => number.serialize(serializer),
            Value::Number(number) => number.serialize(serializer),
            Value::Flag(flag) => flag.serialize(serializer),
            Value::Amount(amount) => Money(*amount, currency).serialize(serializer),
            Value::Customer(customer) => CustomerResponse::new(customer).serialize(serializer),
            Value::Address(address) => AddressResponse::new(Some(address)).serialize(serializer),
            Value::Areas(areas) => {
                serializer.collect_seq(areas.iter().map(|area| area.name.as_str()))
            }
            Value::Line(line) => ItemValue::new(line, currency).serialize(serializer),
            // Requests cannot change values of other types.
            _ => serializer.serialize_none(),
        }
    }
}

/// JSON of an item in a change: an added item is the new value, a removed item the old value.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemValue<'a> {
    id: Text<pressline_domain::value::ItemId>,
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
    fn new(line: &'a LineItem, currency: Currency) -> Self {
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
