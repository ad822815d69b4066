//! Products, their variants and prices, and the print areas with their requirements.

mod area;
pub(crate) mod cache;
mod counts;
mod offer;
mod port;
pub mod product_names;
mod search;
mod service;
mod variant;

pub(crate) use area::assign_files;
pub use area::{AreaError, FileRequirement, PrintArea, PrintAreaParts};
pub use offer::{
    CatalogVersion, ListPrice, ListPriceError, ListPriceParts, Offered, PriceSource, Product,
    STANDARD_SHIP_CLASS, UnitPrice,
};
pub use port::{
    Catalog, CatalogAdmin, ChangeKind, ImportOptions, ImportSummary, Offer, ProductCount,
    ProductMatches, ProductQuery, ProductStart,
};
pub use search::{ProductPage, ProductSearchDraft};
pub use service::{ProductError, ProductService};
pub use variant::{ProductRef, Variant, VariantError, VariantParts};
