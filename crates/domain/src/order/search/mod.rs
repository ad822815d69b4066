//! Searching a store's orders.

mod batch;
mod filter;
mod rest;

use std::sync::Arc;

use crate::field::Field;
use crate::id::{OrderId, StoreId};
use crate::order::{Order, OrderError, OrderService};
use crate::page::{self, CursorKey, ListDigest, Page, PageDraft, Window};
use crate::report::Report;
use crate::store::Store;
use uuid::Uuid;

pub use batch::{BATCH_BYTES, Batch};
pub use filter::SearchFilter;
pub(crate) use filter::{kinds, statuses, time, time_range};
pub use rest::RestOfPage;

/// A search request as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct SearchDraft {
    /// Earliest creation, milliseconds; 0 is open.
    pub from_time: Field<i64>,
    /// Latest creation, milliseconds; 0 is open.
    pub to_time: Field<i64>,
    /// Beginnings of words.
    pub search_key: Field<String>,
    /// Statuses, of which an item has one; empty for any.
    pub statuses: Field<Vec<Field<String>>>,
    /// Types of orders; empty for any.
    pub types: Field<Vec<Field<String>>>,
    /// Which page.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub paging: PageDraft,
}

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
pub struct Found {
    /// The first orders of the page, newest first: as many as [`SearchQuery::bytes`] allows.
    pub orders: Vec<Order>,
    /// The orders of the page that follow them; empty for a page of usual size.
    pub rest: Vec<OrderReference>,
    /// True where at least one more order follows the page.
    pub more: bool,
}

impl Found {
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

/// A page of orders.
#[derive(Debug)]
pub struct SearchPage {
    /// The page, newest orders first. It contains all its orders, unless they are very large.
    pub page: Page<Order>,
    /// The orders of the page that follow [`Page::entries`]; `None` if there are none.
    pub rest: Option<RestOfPage>,
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

impl OrderService {
    /// A page of the store's orders, newest first.
    ///
    /// Whether there is a next page, and the cursor that leads to it, are known at once. Of a very
    /// large page only the first orders are: the others are read from [`SearchPage::rest`], batch
    /// by batch.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
    #[pressline_kit::boxed]
    pub async fn search(
        &self,
        store: &Store,
        draft: &SearchDraft,
    ) -> Result<SearchPage, OrderError> {
        let ValidSearch { filter, window } = draft.check(store.id)?;
        let query = SearchQuery {
            filter,
            start: window.start,
            size: window.size,
            bytes: BATCH_BYTES,
        };
        let found = self.orders.search(store.id, &query).await?;
        let last = found.last().filter(|_| found.more);
        let rest = found.rest.into_iter();
        let rest = rest.map(|reference| (store.id, reference));
        Ok(SearchPage {
            page: window.page(found.orders, last.as_ref()),
            rest: RestOfPage::new(Arc::clone(&self.orders), rest.collect()),
        })
    }
}
