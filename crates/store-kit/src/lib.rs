//! What both diesel stores share: the tables, their rows, the mapping between rows and the domain,
//! and the queue that writes orders in groups.
//!
//! Nothing here knows a database. Ids are kept as hyphenated UUIDs, times in whole milliseconds
//! since 1970, amounts in minor units; addresses, print areas, rates, fees and lists of URLs as
//! JSON text under names of their own (`json.rs`), so that a field of the domain can be renamed
//! without touching what is stored. What cannot be read back is
//! [`RepositoryError::Corrupt`](pressline_domain::error::RepositoryError::Corrupt), with table,
//! column and row.

mod blocking;
mod catalog;
mod corrupt;
mod documents;
mod fair_permits;
mod fair_queue;
mod group;
mod import;
mod item;
mod json;
mod new;
mod order;
mod price;
mod reference;
mod reseal;
pub mod schema;
mod skus;
mod statements;
mod store;
mod variant;
mod weight;
mod window;

pub use blocking::blocking;
pub use catalog::{OfferRows, found_products};
pub use documents::{fees_document, read_fees, read_shipping, shipping_document};
pub use fair_permits::{FairPermit, FairPermits};
pub use group::{
    Distribution, Group, GroupConfig, GroupWriter, ProbeSize, Probed, Weight, WriteQueue,
};
pub use import::{
    Awaited, Caller, Changes, ImportPlan, ImportRow, ImportTable, VariantTable, Write,
};
pub use item::{ItemRow, group_by_order};
pub use json::text_list;
pub use new::{NewRows, fitting_words};
pub use order::OrderRow;
pub use price::PriceRow;
pub use reference::order_reference;
pub use reseal::{SealedKeys, reseal_all};
pub use skus::{KnownSkus, Reading, SkuList};
pub use statements::StatementCounter;
pub use store::{KeyRow, StoreRow, group_by_store};
pub use variant::{VariantRow, stored_variant};
pub use window::Window;
