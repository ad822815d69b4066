//! What both diesel stores share: the tables, their rows, the mapping between rows and the domain, and the queue that
//! writes orders in groups.
//!
//! Nothing here knows a database. Ids are kept as hyphenated UUIDs, times in whole milliseconds since 1970, amounts in
//! minor units; addresses, print areas, rates, fees and lists of URLs as JSON text under names of their own (`json.rs`), so that a
//! field of the domain can be renamed without touching what is stored. What cannot be read back is
//! [`RepositoryError::Corrupt`](pressline_domain::ports::RepositoryError::Corrupt), with table, column and row.

mod catalog;
mod corrupt;
mod documents;
mod group;
mod import;
mod item;
mod json;
mod new;
mod order;
mod price;
mod reseal;
pub mod schema;
mod skus;
mod statements;
mod store;
mod variant;
mod window;

pub use catalog::{OfferRows, found_products};
pub use documents::{fees_document, read_fees, read_shipping, shipping_document};
pub use group::{Distribution, Group, GroupConfig, GroupWriter, ProbeSize, Probed, WriteQueue};
pub use import::{Awaited, Caller, ImportPlan, ImportRow, ImportTable, Write};
pub use item::{ItemRow, group_by_order};
pub use json::text_list;
pub use new::NewRows;
pub use order::OrderRow;
pub use price::PriceRow;
pub use reseal::{SealedKeys, reseal_all};
pub use skus::{KnownSkus, Reading, SkuList};
pub use statements::StatementCounter;
pub use store::{KeyRow, StoreRow, group_by_store};
pub use variant::VariantRow;
pub use window::Window;
