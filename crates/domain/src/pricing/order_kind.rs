//! The kinds of orders, which differ in their fees.

use super::fees::FeeType;

pressline_kit::named! {
    /// Kind of an order, `type` in responses.
    #[derive(PartialOrd, Ord)]
    pub enum OrderKind {
        /// Shipped by the print shop, without a label from the store.
        Manual = "manual",
        /// Shipped with a label that the store prepared.
        Label = "label",
    }
}

impl OrderKind {
    /// Returns the fees that the bill must contain to make the total the order's whole price.
    pub fn needed_fees(self) -> &'static [FeeType] {
        match self {
            Self::Manual => &[FeeType::Product, FeeType::Shipping, FeeType::Surcharge],
            Self::Label => &[FeeType::Handling],
        }
    }
}
