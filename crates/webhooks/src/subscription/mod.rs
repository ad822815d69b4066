//! Delivery run of a subscription.

mod ahead;
mod leased;
mod run;
mod shared;

pub(crate) use run::{RunEnd, deliver};
pub(crate) use shared::{RunError, Shared};
