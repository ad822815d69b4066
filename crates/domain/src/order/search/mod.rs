//! Searching a store's orders.

mod batch;
mod draft;
mod filter;
mod query;
mod rest;
mod service;

pub use batch::{BATCH_BYTES, Batch};
pub use draft::SearchDraft;
pub use filter::SearchFilter;
pub use filter::{kinds, statuses, time, time_range};
pub use query::{OrderReference, SearchQuery, SearchResult, Start};
pub use rest::RestOfPage;
pub use service::SearchPage;
