//! Delivering the events of a subscription: what is sent now, and what follows from how that ended.
//!
//! Everything here is a pure function. A worker repeats four steps while it holds the lease of a subscription:
//!
//! 1. [`SubscriptionMode::new`] says from the endpoint's state whether anything may be sent, and what must be loaded.
//! 2. [`plan`] decides what is sent now.
//! 3. The worker sends it, all at the same time.
//! 4. [`settle`] makes the outcome that is stored in one transaction, before anything else is sent.
//!
//! A crash between 3 and 4 repeats what was in flight, at most [`limits::EVENTS_IN_FLIGHT`] events.
//!
//! [`limits::EVENTS_IN_FLIGHT`]: pressline_domain::limits::EVENTS_IN_FLIGHT

mod batch;
mod decide;
mod health;
mod mode;
mod plan;
mod probe;
mod report;
mod sandbox;
mod schedule;
mod settle;

pub use decide::plan;
pub(super) use health::PAUSING;
pub use mode::SubscriptionMode;
pub use plan::{Attempt, Plan, SubscriptionEvent, SubscriptionView};
pub use report::AttemptReport;
pub use schedule::MAX_ATTEMPTS;
pub use settle::settle;
