//! Searches for orders of several stores.

use std::sync::Arc;

use super::draft::{OrdersDraft, by_cursor_only, digest_stores, reached, stores};
use super::{Direction, QueueService, Walk};
use crate::id::OrderId;
use crate::operator::Operator;
use crate::order::OrderError;
use crate::order::search::{RestOfPage, SearchFilter, SearchPage};
use crate::page::{ListDigest, Page, Start};
use crate::report::Report;

/// Names of the filters, for messages about cursors.
const FIELDS: &str = "fromTime, toTime, searchKey, statuses, types and stores";

impl QueueService {
    /// Returns a page of the orders in the stores of an operator, newest first. As in a search of a store,
    /// only the first orders of a very large page are read at once.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
    pub async fn orders(
        &self,
        operator: &Operator,
        draft: &OrdersDraft,
    ) -> Result<SearchPage, OrderError> {
        let mut report = Report::default();
        let filter = draft.search.check_filter(&mut report);
        let named = stores(&draft.stores, &mut report);
        let digest = filter.digest(ListDigest::new("operator's orders"));
        let list = digest_stores(digest, &named).list(FIELDS);
        let window = draft.search.paging.check::<OrderId>(list, &mut report);
        by_cursor_only(&draft.search.paging, &mut report);
        if !report.violations.is_empty() {
            return Err(report.into());
        }
        let SearchFilter {
            from,
            to,
            key,
            statuses,
            kinds,
        } = filter;
        let end = to.map_or(OrderId::HIGHEST, OrderId::first_after);
        let walk = Walk {
            stores: reached(operator, named),
            from: from.map_or(OrderId::LOWEST, OrderId::first_of),
            before: match window.start {
                Start::Offset(_) => end,
                Start::After(id) => end.min(id),
            },
            key,
            statuses,
            kinds,
            direction: Direction::NewestFirst,
            count: window.size.saturating_add(1),
        };
        let mut places = self.queue.walk(&walk).await?;
        let size = usize::try_from(window.size).unwrap_or(usize::MAX);
        let more = places.len() > size;
        places.truncate(size);
        let last = places.last().filter(|_| more).map(|last| last.order.id);
        let (mut orders, later) = self.read(&places).await?;
        orders.reverse();
        let later = later.iter().map(|place| (place.store, place.order));
        let rest = RestOfPage::new(Arc::clone(&self.orders), later.collect());
        let page = window.page(orders, last.as_ref());
        Ok(SearchPage {
            page: Page {
                number: None,
                ..page
            },
            rest,
        })
    }
}
