//! Open questions of an order: the store's pending change, and the needs of the print shop.

use super::holder::Holder;
use super::status::ItemStatus;
use crate::order::request::UpdateDraft;
use crate::value::{Amount, ChangeId, ItemId, NeedId, Timestamp};

pressline_kit::named! {
    /// Kind of a change that a store requests.
    pub enum ChangeKind {
        /// New values of the order, or a new label.
        Update = "update",
        /// A hold of items.
        Hold = "hold",
        /// A cancellation of items.
        Cancel = "cancel",
    }
}

/// A change that a store requests. A request equal to the pending request changes nothing.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum ChangeRequest {
    /// New values, applied to the order as it is at the time of the approval.
    Update(Box<UpdateDraft>),
    /// A new label for the order.
    Label {
        /// Http or https URL of the new label.
        url: String,
    },
    /// A hold of items.
    Hold {
        /// Items to hold; `None` for all items that can be held.
        items: Option<Vec<ItemId>>,
        /// Time at which the hold ends by itself; `None` for a hold without end.
        until: Option<Timestamp>,
    },
    /// A cancellation of items.
    Cancel {
        /// Items to cancel; `None` for all items that can be cancelled.
        items: Option<Vec<ItemId>>,
    },
}

impl ChangeRequest {
    /// Returns whether the store requests an update, a hold or a cancellation.
    pub fn kind(&self) -> ChangeKind {
        match self {
            Self::Update(_) | Self::Label { .. } => ChangeKind::Update,
            Self::Hold { .. } => ChangeKind::Hold,
            Self::Cancel { .. } => ChangeKind::Cancel,
        }
    }

    /// Returns the requested end of a hold; `None` for other kinds and for a hold without end.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Hold { until, .. } => *until,
            Self::Update(_) | Self::Label { .. } | Self::Cancel { .. } => None,
        }
    }
}

/// State before the request of an item that waits for the decision about the pending change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct RequestedItem {
    /// The service's id of the item.
    pub id: ItemId,
    /// Status of the item before the request.
    pub before: ItemStatus,
    /// The party that held the item before the request; `None` if the item was not on hold.
    pub held_by: Option<Holder>,
    /// End of the hold before the request; `None` without a hold, or if it had no end.
    pub hold_until: Option<Timestamp>,
}

pressline_kit::named! {
    /// Kind of a print shop's question to the store.
    pub enum NeedCode {
        /// The carrier cannot deliver to the address.
        AddressInvalid = "address_invalid",
        /// A product is not available.
        OutOfStock = "out_of_stock",
        /// A print file cannot be printed.
        FileUnprintable = "file_unprintable",
        /// The label that the store prepared cannot be used.
        LabelInvalid = "label_invalid",
        /// The print shop asks for an additional fee.
        FeeApproval = "fee_approval",
        /// Another reason; the need's text explains it.
        Other = "other",
    }
}

/// A question of the print shop to the store. Items stay in `need-action` until the need ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Need {
    /// The service's id of the need.
    pub id: NeedId,
    /// Kind of the print shop's question.
    pub code: NeedCode,
    /// Description of the need in words; `None` if `code` says enough.
    pub text: Option<String>,
    /// The fee to approve; `None` unless `code` is [`NeedCode::FeeApproval`].
    pub amount: Option<Amount>,
    /// Items that the question is about; never empty.
    pub items: Vec<ItemId>,
    /// Id of the pending change that the question is about; `None` if it is about items.
    pub change: Option<ChangeId>,
    /// Time when the print shop asked the store.
    pub requested_at: Timestamp,
    /// Latest answer of the store; `None` until it answers.
    pub answer: Option<Answer>,
}

/// A store's answer to a [`Need`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Answer {
    /// The answer in words; `None` if the store only accepted or refused a fee.
    pub text: Option<String>,
    /// Whether the store accepts the fee; `None` unless the code is [`NeedCode::FeeApproval`].
    pub accept: Option<bool>,
    /// Time when the store answered.
    pub answered_at: Timestamp,
}
