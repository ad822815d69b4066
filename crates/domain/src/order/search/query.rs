//! Searches of a repository, and their results.

use uuid::Uuid;

use super::draft::SearchDraft;
use super::filter::SearchFilter;
use crate::id::{OrderId, StoreId};
use crate::order::Order;
use crate::page::{self, CursorKey, ListDigest, Window};
use crate::report::Report;

/// Where a page of orders begins: after so many orders, or after the order with this id.
pub type Start = page::Start<OrderId>;

impl CursorKey for OrderId {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_uuid().as_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Uuid::from_slice(bytes).ok().map(Self::new)
    }
}

/// What a repository is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuery {
    /// Which orders.
    pub filter: SearchFilter,
    /// From where.
    pub start: Start,
    /// How many at most, 1 to [`PAGE_SIZE`](crate::limits::PAGE_SIZE).
    pub size: u32,
    /// How many bytes of orders, by
    /// [`OrderParts::loaded_bytes`](crate::order::OrderParts::loaded_bytes), are returned whole at
    /// most; the first order always is.
    pub bytes: u64,
}

/// What a repository answers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchResult {
    /// The first orders of the page, newest first: as many as [`SearchQuery::bytes`] allows.
    pub orders: Vec<Order>,
    /// The orders of the page that follow them; empty for a page of usual size.
    pub rest: Vec<OrderReference>,
    /// True where at least one more order follows the page.
    pub more: bool,
}

impl SearchResult {
    /// Id of the last order of the page; `None` where the page is empty.
    pub fn last(&self) -> Option<OrderId> {
        let whole = || self.orders.last().map(|order| order.parts().id);
        let last = self.rest.last().map(|reference| reference.id);
        last.or_else(whole)
    }
}

/// An order of a page that is not loaded yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderReference {
    /// Its id.
    pub id: OrderId,
    /// Its size when it was found, in bytes, by
    /// [`OrderParts::loaded_bytes`](crate::order::OrderParts::loaded_bytes).
    pub bytes: u64,
}

pub(crate) struct ValidSearch {
    pub(crate) filter: SearchFilter,
    pub(crate) window: Window<OrderId>,
}

impl SearchDraft {
    pub(crate) fn check(&self, store: StoreId) -> Result<ValidSearch, Report> {
        let report = &mut Report::default();
        let filter = self.check_filter(report);
        let digest = filter.digest(ListDigest::new("orders").store(store));
        let window = self.paging.check(digest.list(SearchFilter::FIELDS), report);
        report.check()?;
        Ok(ValidSearch { filter, window })
    }
}
