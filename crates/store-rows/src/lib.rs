//! What both diesel stores share: the tables, their rows, the mapping between rows and the domain, and the queue that
//! writes orders in groups.
//!
//! Nothing here knows a database. Ids are kept as hyphenated UUIDs, times in whole milliseconds since 1970, amounts in
//! minor units; addresses, print areas and lists of URLs as JSON text under names of their own (`json.rs`), so that a
//! field of the domain can be renamed without touching what is stored. What cannot be read back is
//! [`RepositoryError::Corrupt`](pressline_domain::ports::RepositoryError::Corrupt), with table, column and row.

mod corrupt;
mod group;
mod item;
mod json;
mod new;
mod order;
mod product;
pub mod schema;
mod skus;
mod statements;
mod store;
mod window;

pub use group::{Distribution, Group, GroupConfig, GroupWriter, WriteQueue};
pub use item::{ItemRow, group_by_order};
pub use new::NewRows;
pub use order::OrderRow;
pub use product::{ImportPlan, ProductRow};
pub use skus::KnownSkus;
pub use statements::StatementCounter;
pub use store::{KeyRow, StoreRow, group_by_store};
pub use window::Window;
