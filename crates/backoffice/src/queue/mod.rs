//! Order queue: items and orders across stores, for operators. It lists waiting items, counts items
//! by status, and searches for orders.

mod draft;
mod items;
mod neighbours;
mod orders;
mod port;
mod service;

pub use draft::{OrdersDraft, QueueDraft, QueueFilter, StoresDraft};
pub use items::QueueItem;
pub use neighbours::Neighbours;
pub use port::{
    CrossStoreQuery, Direction, ItemCount, ItemCounts, OrderQueue, OrderRef, StoreFilter,
};
pub use service::QueueService;
