//! Moving an order as the print shop and carriers would.

use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::id::OperatorId;
use pressline_domain::order::{OrderError, OrderScope, Placed};
use pressline_domain::store::Store;

use super::draft::{Act, PlayDraft, decide_draft};
use super::{SandboxService, check_test_store};

/// The reason of a decision about a pending change.
const REASON: &str = "tried out in the sandbox";

impl SandboxService {
    /// Moves an order of a store to a status with all commands between, or decides its pending change. Each command is
    /// that of the store, an operator or a carrier, with its event.
    ///
    /// # Errors
    /// [`OrderError::NotATestStore`], and those of the commands; [`OrderError::IllegalTransition`] if none leads there.
    /// Commands before the one that is refused have been carried out.
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
