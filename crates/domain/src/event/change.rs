//! A changed field: its path, old value and new value.

use crate::catalog::PrintArea;
use crate::fulfilment::{
    ChangeRequest, Holder, ItemState, ItemStatus, Need, RequestedItem, Shipment, ShipmentStatus,
};
use crate::order::{Address, Customer, LineItem};
use crate::pricing::corrections::Correction;
use crate::pricing::fees::Bill;
use crate::value::{Amount, ChangeId, ItemId, ServiceOrderId, Timestamp};

/// A changed field of an order.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FieldChange {
    /// Path in responses, such as `shippingAddress.city` or `childDetails[<id>].quantity`.
    pub path: String,
    /// Value of the field before the event.
    pub old: Value,
    /// Value of the field after the event.
    pub new: Value,
}

/// Last segments of the paths of hidden changes, see [`FieldChange::is_shown`].
const HIDDEN: [&str; 6] = [
    "itemCount",
    "nameGiven",
    "pricedAt",
    "readyAt",
    "returnsTo",
    "windowEnd",
];

impl FieldChange {
    /// Returns `true` if responses show the change in the order history. Hidden values follow from
    /// other data of the event, or only serve to undo the event.
    pub fn is_shown(&self) -> bool {
        let last = self.path.rsplit('.').next().unwrap_or_default();
        !HIDDEN.contains(&last)
    }

    /// Returns the item's id and the path within the item if the change concerns an item; `None` if
    /// it concerns a field of the order itself. The path is empty if the item was added or removed.
    pub fn item_field(&self) -> Option<(ItemId, &str)> {
        let (id, field) = self.path.strip_prefix(ITEMS)?.split_once(']')?;
        Some((id.parse().ok()?, field.strip_prefix('.').unwrap_or(field)))
    }
}

/// Beginning of [`FieldChange::path`] if the change concerns an item.
const ITEMS: &str = "childDetails[";

pub(super) fn item_path(id: ItemId) -> String {
    format!("{ITEMS}{id}]")
}

/// A change that the store has requested and the print shop has not yet decided.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct PendingChange {
    /// Id of the change, assigned by the service when the store requested the change.
    pub id: ChangeId,
    /// The change as the store requested it.
    pub request: ChangeRequest,
    /// Items that the change concerns, both in production and before production.
    pub items: Vec<ItemId>,
    /// Items among `items` that were in the stage [`AtWork`](crate::fulfilment::Stage::AtWork) when
    /// the store requested the change. Each entry contains the item's state before the request.
    pub asked: Vec<RequestedItem>,
    /// Field changes of an update, compared to the order at the request; else empty.
    pub changes: Vec<FieldChange>,
    /// Reason that the store gave, in words; `None` if it gave none.
    pub reason: Option<String>,
    /// Time when the store requested the change.
    pub requested_at: Timestamp,
}

/// Item as stored by an event that adds or removes it: content, state, and position in the order.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlacedItem {
    /// Index in the order's list of items, from 0.
    pub place: usize,
    /// Content of the item: the store's values and the results of pricing.
    pub line: LineItem,
    /// Status of the item, and other values that change after the order is placed.
    pub state: ItemState,
}

pub(super) trait FieldValue: Sized + Clone + PartialEq {
    fn to_value(&self) -> Value;

    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! values {
    ($($variant:ident($type:ty $(, $boxed:ident)?),)+) => {
        /// Value of a field before or after an event.
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
