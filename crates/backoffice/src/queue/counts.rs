//! How many items are in each status.

use super::draft::CountsDraft;
use super::{ItemCount, ItemCounts, QueueService};
use crate::operator::Operator;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderError;
use pressline_domain::report::Report;

impl QueueService {
    /// Returns the exact number of items in each status, in the stores of an operator.
    /// Same errors as [`search`](Self::search).
    #[pressline_kit::boxed]
    pub async fn counts(
        &self,
        operator: &Operator,
        draft: &CountsDraft,
    ) -> Result<ItemCounts, OrderError> {
        self.counted(operator, draft, &ItemStatus::ALL, u32::MAX)
            .await
    }

    /// Returns the number of items in each status that is not done, in the stores of an operator: exact up to a bound,
    /// above which it is only known that there are more. What is done is most of a database, and not read.
    /// Same errors as [`search`](Self::search).
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
        for status in statuses {
            counts.entry(*status).or_default();
        }
        Ok(counts)
    }
}
