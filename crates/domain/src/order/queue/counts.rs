//! How many items are in each status.

use super::draft::CountsDraft;
use super::{ItemCounts, QueueService};
use crate::fulfilment::ItemStatus;
use crate::operator::Operator;
use crate::order::OrderError;
use crate::report::Report;

impl QueueService {
    /// Returns the number of items in each status, in the stores of an operator.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
    pub async fn counts(
        &self,
        operator: &Operator,
        draft: &CountsDraft,
    ) -> Result<ItemCounts, OrderError> {
        let mut report = Report::default();
        let named = draft.stores.check(&mut report);
        if !report.violations.is_empty() {
            return Err(report.into());
        }
        let mut counts = self.queue.count_items(&named.reached_by(operator)).await?;
        for status in ItemStatus::ALL {
            counts.entry(status).or_default();
        }
        Ok(counts)
    }
}
