//! A changed field: its path, and its value before and after.

use crate::catalog::PrintArea;
use crate::fulfilment::{
    Holder, ItemState, ItemStatus, Need, PendingChange, Shipment, ShipmentStatus,
};
use crate::id::ServiceOrderId;
use crate::money::Amount;
use crate::order::{Address, Customer, LineItem};
use crate::pricing::corrections::Correction;
use crate::pricing::fees::Bill;
use crate::time::Timestamp;

/// A changed field of an order.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldChange {
    /// The path in responses, such as `shippingAddress.city` or `childDetails[<id>].quantity`.
    pub path: String,
    /// The value before.
    pub old: Value,
    /// The value after.
    pub new: Value,
}

/// Last parts of paths that no response has: their values follow from the event, or are kept only
/// to undo it.
const HIDDEN: [&str; 6] = [
    "itemCount",
    "nameGiven",
    "pricedAt",
    "readyAt",
    "returnsTo",
    "windowEnd",
];

impl FieldChange {
    /// True of a change that readers of the history see. The others only serve to undo the event.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        !HIDDEN.contains(&last)
    }
}

/// An item with everything that is known about it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacedItem {
    /// Its place among the order's items, from 0.
    pub place: usize,
    /// Its content.
    pub line: LineItem,
    /// Its state.
    pub state: ItemState,
}

/// A type whose values can change in an event.
pub(super) trait FieldValue: Sized + Clone + PartialEq {
    /// Returns the value as it is stored with an event.
    fn to_value(&self) -> Value;

    /// Returns the value in this type; `None` if the stored one is of another type.
    fn from_value(value: &Value) -> Option<Self>;
}

/// Defines the values, each with its type.
macro_rules! values {
    ($($(#[$doc:meta])* $variant:ident($type:ty),)+) => {
        /// The value of a field before or after an event.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
        pub enum Value {
            /// The field has no value.
            None,
            $($(#[$doc])* $variant($type),)+
        }

        $(
            impl FieldValue for $type {
                fn to_value(&self) -> Value {
                    Value::$variant(self.clone())
                }

                fn from_value(value: &Value) -> Option<Self> {
                    match value {
                        Value::$variant(value) => Some(value.clone()),
                        _ => None,
                    }
                }
            }
        )+
    };
}

values! {
    /// A text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// A whole number.
    Integer(u32),
    /// A number, of degrees.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A moment.
    Time(Timestamp),
    /// An amount in the order's currency.
    Amount(Amount),
    /// The status of an item.
    Status(ItemStatus),
    /// Who holds an item.
    Holder(Holder),
    /// A customer.
    Customer(Customer),
    /// An address.
    Address(Box<Address>),
    /// The print areas of an item.
    Areas(Vec<PrintArea>),
    /// The fees, with the lines of the rules.
    Bill(Box<Bill>),
    /// An item.
    Item(Box<PlacedItem>),
    /// The content of an item that a pending update would add or remove.
    Line(Box<LineItem>),
    /// A change that the store has asked for.
    Pending(Box<PendingChange>),
    /// What the shop needs.
    Needs(Vec<Need>),
    /// The status of a shipment.
    ShipmentStatus(ShipmentStatus),
    /// A shipment.
    Shipment(Box<Shipment>),
    /// Orders, by their numbers.
    Orders(Vec<ServiceOrderId>),
    /// A fee line of an operator.
    Correction(Box<Correction>),
}

impl<T: FieldValue> FieldValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::None, FieldValue::to_value)
    }

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::None => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}
