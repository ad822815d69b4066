//! Rows of variants, price lists, shipping rates and fee schedules, and their import.

mod cancel;
mod import;
mod offer;
mod price;
mod product_page;
mod tables;
mod variant;

pub use cancel::{CancelGuard, CancelToken};
pub use import::{Changes, ImportPlan, ImportRow, ImportTable, ImportTarget, Write};
pub use offer::{OfferRows, found_products};
pub use price::{PriceKey, PriceRow};
pub use product_page::{ProductWindow, ProductsOf, product_count, search_products};
pub use tables::{FeeDocument, fee_documents, read_fees, read_shipping};
pub use variant::VariantRow;
