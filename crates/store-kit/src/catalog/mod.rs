//! The rows of variants, price lists, shipping rates and fee schedules, and how they are imported.

mod admin;
mod documents;
mod import;
mod offer;
mod price;
mod skus;
mod variant;

pub use admin::{CatalogTables, FeeDocument, fee_documents};
pub use documents::{read_fees, read_shipping, shipping_document};
pub use import::{
    Awaited, Caller, Changes, ImportPlan, ImportRow, ImportTable, VariantTable, Write,
};
pub use offer::{OfferRows, found_products};
pub use price::PriceRow;
pub use skus::{KnownSkus, Reading, SkuList};
pub use variant::{VariantRow, stored_variant};
