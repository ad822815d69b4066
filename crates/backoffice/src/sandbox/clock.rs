//! Clock of a test store: fast-forwards the due times of its orders and webhooks.

use super::draft::ClockDraft;
use super::{SandboxService, check_test_store};
use pressline_domain::order::OrderError;
use pressline_domain::store::Store;

/// Result of advancing the clock of a test store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockAdvance {
    /// Number of seconds by which the clock advanced.
    pub seconds: u32,
    /// Number of orders that fell due and changed status.
    pub orders_moved: u64,
}

impl SandboxService {
    /// Fast-forwards all due times of `store`. When it returns, everything that fell due has been
    /// processed.
    ///
    /// # Errors
    /// [`OrderError::NotATestStore`], [`OrderError::Invalid`] and [`OrderError::Repository`]. If a
    /// query fails, only a part of the orders may have been fast-forwarded.
    #[pressline_kit::boxed]
    pub async fn clock(
        &self,
        store: &Store,
        draft: &ClockDraft,
    ) -> Result<ClockAdvance, OrderError> {
        check_test_store(store)?;
        let seconds = draft.check()?;
        self.webhooks.advance(store.id, seconds).await?;
        let orders_moved = self.orders.fast_forward(store.id, seconds).await?;
        Ok(ClockAdvance {
            seconds,
            orders_moved,
        })
    }
}
