//! Sandbox of test stores: fast-forwarding due times, and moving orders as the print shop and
//! carriers would.

use std::sync::Arc;

use crate::fields::{number, valid};
use crate::limits;
use crate::webhook::SubscriptionClock;
use pressline_domain::check::{Field, IssueCode, Path, Report, order_name, word};
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, ItemStatus};
use pressline_domain::order::request::DecideDraft;
use pressline_domain::order::{
    DueOrders, OrderEditor, OrderError, OrderMover, OrderScope, OrderService, Placed,
};
use pressline_domain::store::Store;
use pressline_domain::value::OperatorId;

type Result<T, E = OrderError> = std::result::Result<T, E>;

const REASON: &str = "tried out in the sandbox";

/// Unchecked request to fast-forward the due times of a test store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClockDraft {
    /// Number of seconds by which to fast-forward, 1 to [`limits::ADVANCE_SECONDS`].
    pub advance_seconds: Field<i64>,
}

impl ClockDraft {
    fn check(&self) -> Result<u32, Report> {
        let mut report = Report::default();
        if self.advance_seconds.is_absent() {
            let path = Path::Root.key("advanceSeconds");
            report.required(&path, "a number of seconds");
        }
        let (field, range) = (&self.advance_seconds, (1, limits::ADVANCE_SECONDS));
        let seconds = number(field, "advanceSeconds", range, &mut report);
        seconds.ok_or(report)
    }
}

/// Unchecked request to move an order as the print shop or a carrier would. Exactly one of `to` and
/// `decision` is required.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlayDraft {
    /// Order id assigned by the store, or service order id such as `DEMO-17`.
    pub order_id: Field<String>,
    /// Target status: one of [`PlayDraft::TARGETS`].
    pub to: Field<String>,
    /// Decision about the order's pending change: one of [`PlayDraft::DECISIONS`].
    pub decision: Field<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    MoveTo(ItemStatus),
    /// An entry of [`PlayDraft::DECISIONS`].
    Decide(&'static str),
}

impl PlayDraft {
    /// Statuses that an order can be moved to.
    pub const TARGETS: [ItemStatus; 7] = [
        ItemStatus::Ready,
        ItemStatus::InProduction,
        ItemStatus::Fulfilled,
        ItemStatus::Delivered,
        ItemStatus::Returned,
        ItemStatus::NeedAction,
        ItemStatus::Cancelled,
    ];
    /// Possible decisions about a pending change.
    pub const DECISIONS: [&'static str; 2] = ["approve", "refuse"];

    fn check(&self) -> Result<(String, Act), Report> {
        let mut report = Report::default();
        let root = Path::Root;
        let name = order_name(&self.order_id, &mut report);
        let targets = Self::TARGETS.map(|status| (status.as_str(), Act::MoveTo(status)));
        let to = word(&self.to, &root.key("to"), targets, &mut report);
        let decisions = Self::DECISIONS.map(|decision| (decision, Act::Decide(decision)));
        let decision = root.key("decision");
        let decided = word(&self.decision, &decision, decisions, &mut report);
        match (self.to.is_blank(), self.decision.is_blank()) {
            (true, true) => report.required(&root.key("to"), "a status, or `decision` instead"),
            (false, false) => {
                let message = "send either `to` or `decision`";
                report.violation(&decision, IssueCode::Conflict, message);
            }
            _ => {}
        }
        valid(name.zip(to.or(decided)), &mut report)
    }
}

/// Fast-forwards due times of test stores, and moves their orders.
#[derive(Clone)]
pub struct SandboxService {
    due: DueOrders,
    moves: OrderMover,
    change: OrderEditor,
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
    /// Creates a service for `orders`, and for the webhook deliveries of `webhooks`.
    pub fn new(orders: OrderService, webhooks: Arc<dyn SubscriptionClock>) -> Self {
        Self {
            due: orders.due,
            moves: orders.moves,
            change: orders.change,
            webhooks,
        }
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
        let orders_moved = self.due.fast_forward(store.id, seconds).await?;
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
            Act::MoveTo(status) => self.moves.move_to(store, &name, status, by).await,
            Act::Decide(decision) => {
                let draft = DecideDraft {
                    order_id: name.into(),
                    decision: decision.into(),
                    reason: REASON.into(),
                    ..DecideDraft::default()
                };
                // Deciding about a change is up to the print shop, not to the store.
                let shop = Caller {
                    actor: Actor::Operator(OperatorId::SANDBOX),
                    request_id: by.request_id.clone(),
                };
                self.change
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
    store.test.then_some(()).ok_or(OrderError::NotATestStore)
}
