//! Prices other than the unit prices of variants, and the bills of orders.

pub mod corrections;
pub mod fees;
mod order_kind;
mod rate;
mod rates;
mod schedule;
pub mod tariff;
mod zone;

pub use order_kind::OrderKind;
