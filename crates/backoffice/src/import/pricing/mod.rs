//! Rows of price lists, shipping rates and fee schedules, and the values read from them.

mod fees;
mod prices;
mod shipping;
mod warnings;

pub use fees::{Schedules, fee_sheet, read_fees};
pub(crate) use prices::replaced_prices;
pub use prices::{price_sheet, read_prices};
pub use shipping::{read_shipping, shipping_sheet};
pub use warnings::Warning;
pub(crate) use warnings::{fee_warnings, zones_only_in_fees};
