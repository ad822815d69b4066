//! The clock of a test store: moves due times of its orders and webhooks forward.

use super::draft::ClockDraft;
use super::{SandboxService, check_test_store};
use pressline_domain::order::OrderError;
use pressline_domain::store::Store;

/// The result of advancing the clock of a test store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockAdvance {
    /// By how many seconds.
    pub seconds: u32,
    /// Number of orders that fell due and moved.
    pub orders_moved: u64,
}

impl SandboxService {
    /// Brings nearer everything of a store that falls due later, and returns when what fell due has happened.
    ///
    /// # Errors
    /// [`OrderError::NotATestStore`], [`OrderError::Invalid`] and [`OrderError::Repository`]. If the repository
    /// fails, a part of the orders has come nearer.
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
