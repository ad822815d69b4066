//! Search for whole orders with a matching item.

use super::draft::{QueueDraft, ValidQueue};
use super::{CrossStoreQuery, QueueFilter, QueueService};
use crate::cursor_list::CursorWindow;
use pressline_domain::check::report::Report;
use pressline_domain::order::{Order, OrderError};
use pressline_domain::store::StoreSet;
use pressline_domain::value::id::OrderId;

pub(crate) struct WholeOrders {
    pub(crate) orders: Vec<Order>,
    /// Id of the last examined order, after which the search continues; `None` if the search has
    /// reached its end.
    pub(crate) last: Option<OrderId>,
}

impl QueueDraft {
    /// Returns a query for orders of stores in `within`. A draft without statuses finds orders with
    /// an item that is ready or in production.
    pub(crate) fn cross_store_query(
        &self,
        within: &StoreSet,
    ) -> Result<(CrossStoreQuery, QueueFilter, CursorWindow<OrderId>), OrderError> {
        let mut report = Report::default();
        let mut valid = self.check_filter(&mut report);
        if self.statuses.value().is_none_or(Vec::is_empty) {
            valid.filter.statuses.retain(|status| status.is_at_work());
        }
        let list = valid.digest().list(ValidQueue::FIELDS);
        let window = CursorWindow::<OrderId>::new(&self.paging, list, &mut report);
        report.check()?;
        let (mut query, filter) = self.query(valid, within);
        if let Some(last) = window.after() {
            query.from = last.next().unwrap_or(OrderId::HIGHEST);
        }
        Ok((query, filter, window))
    }
}

impl QueueService {
    /// Returns the first orders of `query` with an item that matches `filter`. Stops after `limit`
    /// matching items, or after about 10,000 examined orders.
    pub(crate) async fn first_orders(
        &self,
        query: &CrossStoreQuery,
        filter: &QueueFilter,
        limit: usize,
    ) -> Result<WholeOrders, OrderError> {
        let (items, stopped) = self.items(query.clone(), filter, None, limit).await?;
        let last = match items.last() {
            Some(item) if items.len() == limit => Some(item.order.content.id),
            _ => stopped.map(|key| key.order),
        };
        let mut orders: Vec<Order> = items.into_iter().map(|item| item.order).collect();
        // Matching items of the same order follow each other.
        orders.dedup_by_key(|order| order.content.id);
        Ok(WholeOrders { orders, last })
    }
}
