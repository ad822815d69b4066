//! The rows of variants, price lists, shipping rates and fee schedules, and how they are imported.

mod documents;
mod import;
mod offer;
mod price;
mod skus;
mod variant;

pub use documents::{fees_document, read_fees, read_shipping, shipping_document};
pub use import::{
    Awaited, Caller, Changes, ImportPlan, ImportRow, ImportTable, VariantTable, Write,
};
pub use offer::{OfferRows, found_products};
pub use price::PriceRow;
pub use skus::{KnownSkus, Reading, SkuList};
pub use variant::{VariantRow, stored_variant};
