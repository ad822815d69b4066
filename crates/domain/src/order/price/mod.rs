//! Pricing: a pure function from items, offers and a tariff to the fees of an order, with the lines
//! that explain them.

mod fees;
mod finding;
mod input;
mod options;
mod shipping;

pub use fees::{Priced, apply_offer, price};
pub use finding::{Finding, ItemField};
pub use input::Input;
pub use options::{ShippingOption, shipping_options};
