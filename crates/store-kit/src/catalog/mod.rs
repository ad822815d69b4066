//! Rows of variants, price lists, shipping rates and fee schedules, and their import.

mod cancel;
mod changes;
mod documents;
mod import;
mod offer;
mod price;
mod product_page;
mod tables;
mod target;
mod variant;

pub use cancel::{CancelGuard, CancelToken};
pub use changes::Changes;
pub use documents::{read_fees, read_shipping, shipping_document};
pub use import::{ComparedRow, ImportPlan, ImportTable, VariantTable};
pub use offer::{OfferRows, found_products};
pub use price::{PriceKey, PriceRow};
pub use product_page::{ProductWindow, ProductsOf, is_whole, many_match, product_count};
pub use tables::{CatalogTables, FeeDocument, fee_documents};
pub use target::{ImportRow, ImportTarget, Write};
pub use variant::VariantRow;
