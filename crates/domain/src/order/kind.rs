//! What kinds of order there are, and where orders come from.

/// The two kinds of order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderKind {
    /// Shipped by the service.
    Manual,
    /// Shipped with a label that the store prepared.
    Label,
}

impl OrderKind {
    /// The value of `type` in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Label => "label",
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
    /// The value of `source` in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::App => "app",
        }
    }
}
