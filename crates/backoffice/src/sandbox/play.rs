//! Moving an order as the print shop and carriers would.

use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::{OrderError, OrderScope, Placed};
use pressline_domain::store::Store;
use pressline_domain::value::id::OperatorId;

use super::draft::{Act, PlayDraft, decide_draft};
use super::{SandboxService, check_test_store};

/// Reason that the sandbox gives for a decision about a pending change.
const REASON: &str = "tried out in the sandbox";

impl SandboxService {
    /// Moves an order of `store` to the status `to` through all statuses in between, or decides
    /// about its pending change. Each step is a regular command of the store, an operator or a
    /// carrier, with its event.
    ///
    /// # Errors
    /// [`OrderError::NotATestStore`], the errors of the commands, and
    /// [`OrderError::IllegalTransition`] if no commands lead to the status. Commands before a
    /// refused command remain in effect.
    #[pressline_kit::boxed]
    pub async fn play(
        &self,
        store: &Store,
        draft: &PlayDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
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
