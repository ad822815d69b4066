//! Searching a store's orders.
//!
//! [`OrderReader::search`](crate::order::OrderReader::search) checks a [`SearchDraft`] and gives
//! the [`SearchQuery`] to the repository, which returns a [`SearchResult`].

mod batch;
mod draft;
mod filter;
mod query;

pub use batch::{BATCH_BYTES, Batch};
pub use draft::SearchDraft;
pub use filter::SearchFilter;
pub use filter::{kinds, statuses, time, time_range};
pub(super) use query::ValidSearch;
pub use query::{OrderReference, SearchQuery, SearchResult, Start};
