//! Numbers of items by status.

use super::draft::CountsDraft;
use super::{ItemCount, ItemCounts, QueueService};
use crate::operator::Operator;
use pressline_domain::check::report::Report;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderError;

impl QueueService {
    /// Returns the exact number of items in each status, in the stores that `operator` has access
    /// to. Same errors as [`search`](Self::search).
    #[pressline_kit::boxed]
    pub async fn counts(
        &self,
        operator: &Operator,
        draft: &CountsDraft,
    ) -> Result<ItemCounts, OrderError> {
        self.counted(operator, draft, &ItemStatus::ALL, u32::MAX)
            .await
    }

    /// Returns the number of items in each open status, in the stores that `operator` has access
    /// to. Numbers up to `exact_to` are exact; a higher result only says that there are more.
    /// Finished items are not counted, because they are the bulk of a database. Same errors as
    /// [`search`](Self::search).
    #[pressline_kit::boxed]
    pub async fn open_counts(
        &self,
        operator: &Operator,
        draft: &CountsDraft,
        exact_to: u32,
    ) -> Result<ItemCounts, OrderError> {
        let open = ItemStatus::ALL.into_iter();
        let open: Vec<ItemStatus> = open.filter(|status| !status.is_done()).collect();
        self.counted(operator, draft, &open, exact_to).await
    }

    async fn counted(
        &self,
        operator: &Operator,
        draft: &CountsDraft,
        statuses: &[ItemStatus],
        exact_to: u32,
    ) -> Result<ItemCounts, OrderError> {
        let mut report = Report::default();
        let named = draft.stores.check(&mut report);
        report.check()?;
        let count = ItemCount {
            stores: named.reached_by(operator),
            statuses: statuses.iter().copied().collect(),
            exact_to,
        };
        let mut counts = self.queue.count_items(&count).await?;
        // The port leaves out statuses without items.
        for status in statuses {
            counts.entry(*status).or_default();
        }
        Ok(counts)
    }
}
