//! Sandbox of test stores: fast-forwarding due times, and moving orders as the print shop and
//! carriers would.

mod clock;
mod draft;
mod play;

use std::sync::Arc;

use crate::webhook::SubscriptionClock;
use pressline_domain::order::{OrderError, OrderService};
use pressline_domain::store::Store;

pub use clock::ClockAdvance;
pub use draft::{ClockDraft, PlayDraft};

/// Use cases of test stores.
#[derive(Clone)]
pub struct SandboxService {
    orders: OrderService,
    webhooks: Arc<dyn SubscriptionClock>,
}

impl SandboxService {
    /// Creates a service that acts on `orders`, and fast-forwards the webhook deliveries of
    /// `webhooks`.
    pub fn new(orders: OrderService, webhooks: Arc<dyn SubscriptionClock>) -> Self {
        Self { orders, webhooks }
    }
}

/// Checks that `store` is a test store: orders of test stores are not produced.
///
/// # Errors
/// [`OrderError::NotATestStore`] if it is not.
pub fn check_test_store(store: &Store) -> Result<(), OrderError> {
    if store.test {
        Ok(())
    } else {
        Err(OrderError::NotATestStore)
    }
}
