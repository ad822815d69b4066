//! What a test store may do to try out what its orders can meet: bring nearer what falls due, and move an
//! order as the shop and carriers would.

mod clock;
mod draft;
mod play;

use std::sync::Arc;

use crate::webhook::SubscriptionClock;
use pressline_domain::order::{OrderError, OrderService};
use pressline_domain::store::Store;

pub use clock::ClockAdvance;
pub use draft::{ClockDraft, PlayDraft};

/// The use cases of test stores.
#[derive(Clone)]
pub struct SandboxService {
    orders: OrderService,
    webhooks: Arc<dyn SubscriptionClock>,
}

impl SandboxService {
    /// Returns a service that moves these orders, and brings nearer what is due at these webhook endpoints.
    pub fn new(orders: OrderService, webhooks: Arc<dyn SubscriptionClock>) -> Self {
        Self { orders, webhooks }
    }
}

/// Refuses a store whose orders are made.
///
/// # Errors
/// [`OrderError::NotATestStore`].
pub fn check_test_store(store: &Store) -> Result<(), OrderError> {
    if store.test {
        Ok(())
    } else {
        Err(OrderError::NotATestStore)
    }
}
