//! What waits for a decision: a change that the store has asked for, and what the shop needs.

use super::holder::Holder;
use super::status::ItemStatus;
use crate::id::{ChangeId, ItemId, NeedId};
use crate::money::Amount;
use crate::order::request::UpdateDraft;
use crate::time::Timestamp;

pressline_kit::named! {
    /// The kinds of change that a store can ask for.
    pub enum ChangeKind {
        /// Other values.
        Update = "update",
        /// A hold.
        Hold = "hold",
        /// A cancellation.
        Cancel = "cancel",
    }
}

/// The request for a change, as the store made it. The same request again is recognised by it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum ChangeRequest {
    /// Other values; applied to the order as it is when it is approved.
    Update(Box<UpdateDraft>),
    /// Another label for the order.
    Label {
        /// Where the label can be fetched.
        url: String,
    },
    /// A hold of these items, or of all, until a moment.
    Hold {
        /// The items; `None` for all that can be held.
        items: Option<Vec<ItemId>>,
        /// When the hold ends by itself.
        until: Option<Timestamp>,
    },
    /// A cancellation of these items, or of all.
    Cancel {
        /// The items; `None` for all that can be cancelled.
        items: Option<Vec<ItemId>>,
    },
}

impl ChangeRequest {
    /// Returns the kind of change.
    pub fn kind(&self) -> ChangeKind {
        match self {
            Self::Update(_) | Self::Label { .. } => ChangeKind::Update,
            Self::Hold { .. } => ChangeKind::Hold,
            Self::Cancel { .. } => ChangeKind::Cancel,
        }
    }

    /// Returns when the hold ends that is asked for.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            Self::Hold { until, .. } => *until,
            Self::Update(_) | Self::Label { .. } | Self::Cancel { .. } => None,
        }
    }
}

/// An item at work for which a change was asked, as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct RequestedItem {
    /// The item.
    pub id: ItemId,
    /// Its status when the store asked.
    pub before: ItemStatus,
    /// Who held it.
    pub held_by: Option<Holder>,
    /// When its hold would have ended.
    pub hold_until: Option<Timestamp>,
}

pressline_kit::named! {
    /// Why the shop needs the store.
    pub enum NeedCode {
        /// The address cannot be delivered to.
        AddressInvalid = "address_invalid",
        /// A product is not available.
        OutOfStock = "out_of_stock",
        /// A print file cannot be printed.
        FileUnprintable = "file_unprintable",
        /// The prepared label cannot be used.
        LabelInvalid = "label_invalid",
        /// The shop asks for a further fee.
        FeeApproval = "fee_approval",
        /// Anything else.
        Other = "other",
    }
}

/// Something that the shop needs from the store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Need {
    /// Its id.
    pub id: NeedId,
    /// Why.
    pub code: NeedCode,
    /// What is needed, for people.
    pub text: Option<String>,
    /// The fee to approve; `None` for all other codes.
    pub amount: Option<Amount>,
    /// The items that it concerns.
    pub items: Vec<ItemId>,
    /// The pending change that it asks about; `None` if it is about the items.
    pub change: Option<ChangeId>,
    /// When the shop asked.
    pub requested_at: Timestamp,
    /// What the store answered.
    pub answer: Option<Answer>,
}

/// What a store answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct Answer {
    /// The answer in words.
    pub text: Option<String>,
    /// Whether the fee is accepted; `None` if none was to be approved.
    pub accept: Option<bool>,
    /// When the store answered.
    pub answered_at: Timestamp,
}
