//! Products with their variants, prices and print areas, the search for products, and the ports
//! that read and import the catalog.
//!
//! A [`Product`] has one or more [`Variant`]s, and a variant has [`PrintArea`]s. An order names a
//! variant by its SKU. [`CatalogAdmin`] imports variants and price lists; [`Catalog::offer`]
//! returns the [`Offer`] that an order is priced with: variants, each with its prices
//! ([`Offered`]), and the tariff.

mod area;
pub(crate) mod cache;
mod counts;
mod file_rules;
mod offer;
mod port;
pub mod product_names;
mod search;
mod service;
mod variant;

pub(crate) use area::assign_files;
pub use area::{AlphaRule, AreaError, FileRequirement, PrintArea, PrintAreaParts};
pub(crate) use offer::STANDARD_SHIP_CLASS;
pub use offer::{
    CatalogVersion, ListPrice, ListPriceError, ListPriceParts, Offered, PriceSource, Product,
    UnitPrice,
};
pub use port::{
    Catalog, CatalogAdmin, ChangeKind, ImportOptions, ImportSummary, Offer, ProductCount,
    ProductMatches, ProductQuery, ProductStart,
};
pub use search::{ProductPage, ProductSearchDraft};
pub use service::{ProductError, ProductService};
pub use variant::{ProductRef, Variant, VariantError, VariantParts};
