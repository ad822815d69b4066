//! Delivery of a subscription's events: the choice of events to send, and the outcome of the
//! attempts.
//!
//! Everything here is a pure function. A worker repeats four steps while it holds the lease of a
//! subscription:
//!
//! 1. [`SubscriptionMode::new`] decides by the endpoint's state whether events may be sent, and
//!    which data must be loaded.
//! 2. [`plan`] decides which events are sent now.
//! 3. The worker sends all of them concurrently.
//! 4. [`apply_results`] computes the outcome. The worker stores it in one transaction before it
//!    sends another event.
//!
//! A crash between 3 and 4 repeats the events in flight, up to [`limits::EVENTS_IN_FLIGHT`].
//!
//! [`limits::EVENTS_IN_FLIGHT`]: crate::limits::EVENTS_IN_FLIGHT

mod apply_results;
mod batch;
mod decide;
mod health;
mod plan;
mod schedule;

pub use apply_results::apply_results;
pub use decide::{SubscriptionMode, plan};
pub(super) use health::PAUSING;
pub use plan::{Attempt, AttemptReport, Plan, SubscriptionEvent, SubscriptionView};
pub use schedule::MAX_ATTEMPTS;
