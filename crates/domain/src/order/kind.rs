//! The kinds of orders, and where orders come from.

use crate::pricing::fees::FeeType;

/// The two kinds of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum OrderKind {
    /// Shipped by the service.
    Manual,
    /// Shipped with a label that the store prepared.
    Label,
}

impl OrderKind {
    /// The value of `type` in responses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Label => "label",
        }
    }

    /// Returns the fees without which the total of an order is not its whole price.
    #[must_use]
    pub fn needed_fees(self) -> &'static [FeeType] {
        match self {
            Self::Manual => &[FeeType::Product, FeeType::Shipping, FeeType::Surcharge],
            Self::Label => &[FeeType::Handling],
        }
    }
}

/// How an order came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum Source {
    /// By the signed API.
    Store,
    /// Entered by hand or imported.
    App,
}

impl Source {
    /// The value of `source` in responses.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::App => "app",
        }
    }
}
