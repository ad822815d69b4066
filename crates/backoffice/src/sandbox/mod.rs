//! Sandbox of test stores: fast-forwarding due times, and moving orders as the print shop and
//! carriers would.

mod draft;

use std::sync::Arc;

use draft::{Act, decide_draft};

use crate::webhook::SubscriptionClock;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::{OrderError, OrderScope, OrderService, Placed};
use pressline_domain::store::Store;
use pressline_domain::value::id::OperatorId;

pub use draft::{ClockDraft, PlayDraft};

type Result<T, E = OrderError> = std::result::Result<T, E>;

const REASON: &str = "tried out in the sandbox";

/// Fast-forwards due times of test stores, and moves their orders.
#[derive(Clone)]
pub struct SandboxService {
    orders: OrderService,
    webhooks: Arc<dyn SubscriptionClock>,
}

/// Result of fast-forwarding a test store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockAdvance {
    /// Number of seconds by which the due times were fast-forwarded.
    pub seconds: u32,
    /// Number of orders that became due and changed status.
    pub orders_moved: u64,
}

impl SandboxService {
    /// Creates a service that acts on `orders`, and fast-forwards the webhook deliveries of
    /// `webhooks`.
    pub fn new(orders: OrderService, webhooks: Arc<dyn SubscriptionClock>) -> Self {
        Self { orders, webhooks }
    }

    /// Fast-forwards all due times of `store` by the number of seconds in `draft`. Orders that fall
    /// due are processed before the call returns. Webhook messages that fall due are sent later.
    ///
    /// # Errors
    /// [`OrderError::NotATestStore`] if `store` is not a test store, [`OrderError::Invalid`] if
    /// `draft` is invalid, and [`OrderError::Repository`] if a query fails. In the last case, only
    /// a part of the orders may have been fast-forwarded.
    #[pressline_kit::boxed]
    pub async fn clock(&self, store: &Store, draft: &ClockDraft) -> Result<ClockAdvance> {
        check_test_store(store)?;
        let seconds = draft.check()?;
        self.webhooks.advance(store.id, seconds).await?;
        let orders_moved = self.orders.fast_forward(store.id, seconds).await?;
        Ok(ClockAdvance {
            seconds,
            orders_moved,
        })
    }

    /// Moves an order of `store` to the status `draft.to` through all statuses in between, or
    /// decides about the order's pending change. Each step is a regular command of the store, an
    /// operator or a carrier, with its event.
    ///
    /// # Errors
    /// [`OrderError::NotATestStore`] if `store` is not a test store, [`OrderError::Invalid`] if
    /// `draft` is invalid, and [`OrderError::IllegalTransition`] if no commands lead to the status;
    /// otherwise the error of the refused command. Commands before it remain in effect.
    #[pressline_kit::boxed]
    pub async fn play(&self, store: &Store, draft: &PlayDraft, by: &Caller) -> Result<Placed> {
        check_test_store(store)?;
        let (name, act) = draft.check()?;
        match act {
            Act::MoveTo(status) => self.orders.move_to(store, &name, status, by).await,
            Act::Decide(decision) => {
                let draft = decide_draft(&name, decision, REASON);
                // Deciding about a change is up to the print shop, not to the store.
                let shop = Caller {
                    actor: Actor::Operator(OperatorId::SANDBOX),
                    request_id: by.request_id.clone(),
                };
                self.orders
                    .decide_change(OrderScope::Store(store), &draft, &shop)
                    .await
            }
        }
    }
}

/// Checks that `store` is a test store. The sandbox refuses all stores with real orders.
///
/// # Errors
/// [`OrderError::NotATestStore`] if it is not.
pub fn check_test_store(store: &Store) -> Result<()> {
    if store.test {
        Ok(())
    } else {
        Err(OrderError::NotATestStore)
    }
}
