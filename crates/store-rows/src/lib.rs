//! What both diesel stores share: the tables, their rows, and the mapping between rows and the domain.
//!
//! Nothing here knows a database. Ids are kept as hyphenated UUIDs, times in whole milliseconds since 1970, amounts in
//! minor units; addresses, print areas and lists of URLs as JSON text under names of their own (`json.rs`), so that a
//! field of the domain can be renamed without touching what is stored. What cannot be read back is
//! [`RepositoryError::Corrupt`](pressline_domain::ports::RepositoryError::Corrupt), with table, column and row.

mod corrupt;
mod item;
mod json;
mod order;
mod product;
pub mod schema;
mod skus;
mod statements;
mod store;
mod window;

pub use item::{ItemRow, group_by_order};
pub use order::OrderRow;
pub use product::{ImportPlan, ProductRow};
pub use skus::KnownSkus;
pub use statements::StatementCounter;
pub use store::{KeyRow, StoreRow, group_by_store};
pub use window::Window;
