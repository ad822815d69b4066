//! The kinds of orders, and where orders come from.

use crate::pricing::fees::FeeType;

named! {
    /// The two kinds of order, by their `type` in responses.
    #[derive(PartialOrd, Ord)]
    pub enum OrderKind {
        /// Shipped by the service.
        Manual = "manual",
        /// Shipped with a label that the store prepared.
        Label = "label",
    }
}

impl OrderKind {
    /// Returns the fees without which the total of an order is not its whole price.
    pub fn needed_fees(self) -> &'static [FeeType] {
        match self {
            Self::Manual => &[FeeType::Product, FeeType::Shipping, FeeType::Surcharge],
            Self::Label => &[FeeType::Handling],
        }
    }
}

named! {
    /// How an order came in, by its `source` in responses.
    #[non_exhaustive]
    pub enum Source {
        /// By the signed API.
        Store = "store",
        /// Entered by hand or imported.
        App = "app",
    }
}
