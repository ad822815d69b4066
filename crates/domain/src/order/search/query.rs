//! Search queries to a repository, and their results.

use uuid::Uuid;

use super::draft::SearchDraft;
use super::filter::SearchFilter;
use crate::check::Report;
use crate::order::Order;
use crate::value::page::{self, CursorKey, ListDigest, Window};
use crate::value::{OrderId, StoreId};

/// Start of a page of orders: an offset, or the id of the order before the page.
pub type Start = page::Start<OrderId>;

impl CursorKey for OrderId {
    fn to_bytes(&self) -> Vec<u8> {
        self.as_uuid().as_bytes().to_vec()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Uuid::from_slice(bytes).ok().map(Self::new)
    }
}

/// A query for a page of a store's orders.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuery {
    /// Criteria that the orders must meet.
    pub filter: SearchFilter,
    /// Start of the page, by offset or by order id.
    pub start: Start,
    /// Maximum number of orders on the page, 1 to [`PAGE_SIZE`](crate::check::limits::PAGE_SIZE).
    pub size: u32,
    /// Maximum size of the orders that are returned whole, in bytes by
    /// [`OrderParts::loaded_bytes`](crate::order::OrderParts::loaded_bytes). The first order is
    /// always returned whole.
    pub bytes: u64,
}

/// A page of orders that match a [`SearchQuery`]: whole orders, then references.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchResult {
    /// First orders of the page, newest first and whole, up to [`SearchQuery::bytes`] in total.
    pub orders: Vec<Order>,
    /// References to the other orders of the page; empty for a page of usual size.
    pub rest: Vec<OrderReference>,
    /// `true` if at least one more order follows the page.
    pub more: bool,
}

impl SearchResult {
    /// Returns the id of the last order of the page; `None` if the page is empty.
    pub fn last(&self) -> Option<OrderId> {
        let whole = || self.orders.last().map(|order| order.parts().id);
        let last = self.rest.last().map(|reference| reference.id);
        last.or_else(whole)
    }
}

/// A reference to an order on a search page; the order itself is not loaded yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderReference {
    /// The service's id of the order.
    pub id: OrderId,
    /// Size of the order when it was found, in bytes by
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
