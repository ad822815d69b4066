//! A changed field: its path, and its value before and after.

use crate::catalog::PrintArea;
use crate::fulfilment::{
    ChangeRequest, Holder, ItemState, ItemStatus, Need, RequestedItem, Shipment, ShipmentStatus,
};
use crate::id::{ChangeId, ItemId, ServiceOrderId};
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
    pub fn is_shown(&self) -> bool {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        !HIDDEN.contains(&last)
    }
}

/// A change that the store has asked for and the shop has not decided.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct PendingChange {
    /// Its id.
    pub id: ChangeId,
    /// The request.
    pub request: ChangeRequest,
    /// The items that it concerns, early ones too.
    pub items: Vec<ItemId>,
    /// Those of them that were at work, with what they were when the store asked.
    pub asked: Vec<RequestedItem>,
    /// What an update would change, by the order as it was when the store asked.
    pub changes: Vec<FieldChange>,
    /// Why the store asks.
    pub reason: Option<String>,
    /// When the store asked.
    pub requested_at: Timestamp,
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

pub(super) trait FieldValue: Sized + Clone + PartialEq {
    fn to_value(&self) -> Value;

    /// Returns the value in this type; `None` if the stored one is of another type.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! values {
    ($($variant:ident($type:ty $(, $boxed:ident)?),)+) => {
        /// The value of a field before or after an event.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
        pub enum Value {
            /// The field has no value.
            None,
            $(
                #[doc = concat!("A value of the type `", stringify!($type), "`.")]
                $variant(values!(@kept $type $(, $boxed)?)),
            )+
        }

        $(
            impl FieldValue for $type {
                fn to_value(&self) -> Value {
                    Value::$variant(self.clone().into())
                }

                fn from_value(value: &Value) -> Option<Self> {
                    match value {
                        Value::$variant(value) => Some(<$type>::clone(value)),
                        _ => None,
                    }
                }
            }
        )+
    };
    (@kept $type:ty) => { $type };
    (@kept $type:ty, boxed) => { Box<$type> };
}

values! {
    Text(String),
    Texts(Vec<String>),
    Integer(u32),
    Number(f64),
    Flag(bool),
    Time(Timestamp),
    Amount(Amount),
    Status(ItemStatus),
    Holder(Holder),
    Customer(Customer),
    Address(Address, boxed),
    Areas(Vec<PrintArea>),
    Bill(Bill, boxed),
    Item(PlacedItem, boxed),
    Line(LineItem, boxed),
    Pending(PendingChange, boxed),
    Needs(Vec<Need>),
    ShipmentStatus(ShipmentStatus),
    Shipment(Shipment, boxed),
    Orders(Vec<ServiceOrderId>),
    Correction(Correction, boxed),
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
