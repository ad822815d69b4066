//! Products and their variants as the catalog keeps them, and what each print area asks of a file.

pub(crate) mod cache;
mod counts;
pub mod import;
mod port;
pub mod product_names;
mod search;
mod service;

use std::fmt;
use std::sync::Arc;

use crate::id::StoreId;
use crate::money::{Amount, Currency};
use crate::time::Timestamp;
use pressline_kit::words::WordSet;

pub use port::{
    Catalog, CatalogAdmin, ChangeKind, FoundProducts, ImportOptions, Imported, Offer, ProductCount,
    ProductQuery, ProductStart,
};
pub use search::{ProductPage, ProductSearchDraft};
pub use service::{ProductError, ProductService};

/// The ship class of an item that names none.
pub const STANDARD_SHIP_CLASS: &str = "Standard";

/// A state of the catalog. It grows with every import that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CatalogVersion(pub i64);

/// What can be ordered by its SKU: a product in one size and colour, or the only form it comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The stock keeping unit, unique in the catalog, compared letter by letter.
    pub sku: String,
    /// The product that it is a variant of.
    pub product: ProductRef,
    /// The name shown to people.
    pub name: String,
    /// What tells it from the product's other variants, such as `size` and `M`, in the order to
    /// show them.
    pub options: Vec<(String, String)>,
    /// What one unit costs a store that no price list gives another price; `None` where the catalog
    /// gives no price.
    pub price: Option<Amount>,
    /// The currency of `price` and of the areas' extra fees.
    pub currency: Currency,
    /// The ship classes it can be sent in; empty where all.
    pub ship_classes: Vec<String>,
    /// What one unit weighs, in grams; 0 where the catalog doesn't say.
    pub weight_grams: u32,
    /// The print areas, in the order in which they take file URLs; at least one.
    pub areas: Vec<PrintArea>,
    /// True where it is no longer made.
    pub retired: bool,
}

/// Names a product among all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductRef {
    /// Unique in the catalog; of a product without variants its SKU.
    pub id: String,
    /// The name shown to people, where an import has given one. In a catalog, all variants of a
    /// product have the same.
    pub name: Option<String>,
}

/// Why a print area cannot be added to a variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AreaError {
    /// The variant has an area of this id.
    #[error("the print area `{0}` is listed twice")]
    Repeated(String),
    /// The variant has as many areas as it may have.
    #[error("more than {} print areas", crate::limits::PRINT_AREAS)]
    TooMany,
}

impl Variant {
    /// A product that comes in one form, with one print area and without a price.
    #[must_use]
    pub fn single(sku: &str, name: &str) -> Self {
        Self {
            sku: sku.to_owned(),
            product: ProductRef {
                id: sku.to_owned(),
                name: None,
            },
            name: name.to_owned(),
            options: Vec::new(),
            price: None,
            currency: Currency::USD,
            ship_classes: Vec::new(),
            weight_grams: 0,
            areas: vec![PrintArea::main()],
            retired: false,
        }
    }

    /// Adds a print area behind the others.
    ///
    /// # Errors
    /// [`AreaError::Repeated`] where the variant has an area of this id, and [`AreaError::TooMany`]
    /// where it has [`PRINT_AREAS`](crate::limits::PRINT_AREAS) areas. The variant is not changed.
    pub fn add_area(&mut self, area: PrintArea) -> Result<(), AreaError> {
        if self.areas.iter().any(|other| other.id == area.id) {
            return Err(AreaError::Repeated(area.id));
        }
        if self.areas.len() >= crate::limits::PRINT_AREAS {
            return Err(AreaError::TooMany);
        }
        self.areas.push(area);
        Ok(())
    }

    /// Gives the variant [`PrintArea::main`] where it has no area.
    pub fn ensure_area(&mut self) {
        if self.areas.is_empty() {
            self.areas.push(PrintArea::main());
        }
    }

    /// Whether it can be sent in this class; case doesn't count.
    #[must_use]
    pub fn ships_as(&self, class: &str) -> bool {
        self.ship_classes.is_empty()
            || self
                .ship_classes
                .iter()
                .any(|own| own.eq_ignore_ascii_case(class))
    }

    /// The name of its product where this is the product's first variant: its own where no import
    /// has named the product.
    #[must_use]
    pub fn product_name(&self) -> &str {
        self.product.name.as_deref().unwrap_or(&self.name)
    }

    /// The words by which a search finds its product.
    #[must_use]
    pub fn words(&self) -> WordSet {
        let mut words = WordSet::default();
        for text in [&self.sku, &self.product.id, self.product_name(), &self.name] as [&str; 4] {
            words.text(text);
        }
        for (_, value) in &self.options {
            words.text(value);
        }
        words.reduced()
    }
}

/// A price of a price list: the service's own list, or that of one store, which comes before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPrice {
    /// The store whose list it is; `None` for the service's list.
    pub store: Option<StoreId>,
    /// The variant.
    pub sku: String,
    /// The currency: that of the store, or any in the service's list.
    pub currency: Currency,
    /// From when on it holds, until a later one of the same list does.
    pub valid_from: Timestamp,
    /// What one unit costs.
    pub amount: Amount,
}

/// A variant as one store may order it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The variant, which offers for several stores share.
    pub variant: Arc<Variant>,
    /// The prices of the service's list and of the store's own, of any time, in any order.
    pub prices: Vec<ListPrice>,
}

/// What a unit costs, and where that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitPrice {
    /// What it costs.
    pub amount: Amount,
    /// Where it stands.
    pub source: PriceSource,
}

/// Where a price stands; shown as words for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PriceSource {
    /// In the catalog itself.
    Catalog,
    /// In the service's price list, from this moment on.
    List(Timestamp),
    /// In the store's own price list, from this moment on.
    StoreList(Timestamp),
}

impl fmt::Display for PriceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Catalog => f.write_str("the catalog"),
            Self::List(from) => write!(f, "the price list, valid from {from}"),
            Self::StoreList(from) => write!(f, "the store's price list, valid from {from}"),
        }
    }
}

impl Offered {
    /// What a unit costs at a moment in a currency: by the store's price list, else by the
    /// service's, else by the catalog. `None` where none of them has a price in this currency.
    #[must_use]
    pub fn unit_price(&self, currency: Currency, at: Timestamp) -> Option<UnitPrice> {
        let valid = |own: bool| {
            let prices = self
                .prices
                .iter()
                .filter(|price| price.currency == currency);
            let prices =
                prices.filter(|price| price.store.is_some() == own && price.valid_from <= at);
            prices.max_by_key(|price| price.valid_from)
        };
        if let Some(price) = valid(true).or_else(|| valid(false)) {
            let source = match price.store {
                Some(_) => PriceSource::StoreList(price.valid_from),
                None => PriceSource::List(price.valid_from),
            };
            return Some(UnitPrice {
                amount: price.amount,
                source,
            });
        }
        let amount = self
            .variant
            .price
            .filter(|_| self.variant.currency == currency)?;
        Some(UnitPrice {
            amount,
            source: PriceSource::Catalog,
        })
    }
}

/// A product with those of its variants that are not retired, as one store may order them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// Unique in the catalog.
    pub id: String,
    /// The name shown to people.
    pub name: String,
    /// The variants, by SKU; at least one.
    pub variants: Vec<Offered>,
}

impl Product {
    /// A product with its first variant.
    #[must_use]
    pub fn of(first: Offered) -> Self {
        Self {
            id: first.variant.product.id.clone(),
            name: first.variant.product_name().to_owned(),
            variants: vec![first],
        }
    }
}

/// A part of a product that is printed, and what its file must be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct PrintArea {
    /// Unique within the product.
    pub id: String,
    /// The name shown to people, such as `Front`.
    pub name: String,
    /// Free text such as `4500x5400px`; can be empty.
    pub size: String,
    /// Free text on format, resolution, colour mode and largest file; can be empty.
    pub note: String,
    /// Width of the file in pixels; `None` where the catalog does not say.
    pub width: Option<u32>,
    /// Height of the file in pixels; `None` where the catalog does not say.
    pub height: Option<u32>,
    /// How binding the file is; [`PrintArea::BASE_BELONGS`] unless the catalog says otherwise.
    pub requirement: String,
    /// What the requirement depends on.
    pub require_for: Vec<String>,
    /// What printing this area costs on top, a unit.
    pub extra_fee: Amount,
}

impl PrintArea {
    /// The requirement of an area for which the catalog states none.
    pub const BASE_BELONGS: &'static str = "base_belongs";

    /// The one area of a product that the catalog doesn't know.
    #[must_use]
    pub fn main() -> Self {
        Self {
            id: "main".to_owned(),
            name: "Main".to_owned(),
            size: String::new(),
            note: String::new(),
            width: None,
            height: None,
            requirement: Self::BASE_BELONGS.to_owned(),
            require_for: Vec::new(),
            extra_fee: Amount::ZERO,
        }
    }
}

/// A print area of an ordered item with the files that came for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRequirement<'a> {
    /// The area.
    pub area: &'a PrintArea,
    /// The URLs of its files; empty where none came.
    pub file_urls: Vec<&'a str>,
}

/// Gives each area its files: one area takes all; of several the i-th takes the i-th, the last all
/// further ones.
///
/// An empty URL holds a place: its area gets no file, and the next area still gets its own.
#[must_use]
pub fn assign_files<'a>(areas: &'a [PrintArea], urls: &'a [String]) -> Vec<FileRequirement<'a>> {
    let last = areas.len().saturating_sub(1);
    areas
        .iter()
        .enumerate()
        .map(|(i, area)| {
            let rest = urls.get(i..).unwrap_or_default();
            let own = if i == last {
                rest
            } else {
                rest.get(..1).unwrap_or_default()
            };
            let file_urls = own
                .iter()
                .map(String::as_str)
                .filter(|url| !url.is_empty())
                .collect();
            FileRequirement { area, file_urls }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(areas: usize, urls: usize) -> Vec<usize> {
        let areas = vec![PrintArea::main(); areas];
        let urls = vec!["https://example.com/a.png".to_owned(); urls];
        assign_files(&areas, &urls)
            .iter()
            .map(|f| f.file_urls.len())
            .collect()
    }

    #[test]
    fn files_go_to_areas_in_order_and_the_rest_to_the_last() {
        assert_eq!(spread(1, 3), [3]);
        assert_eq!(spread(1, 0), [0]);
        assert_eq!(spread(3, 2), [1, 1, 0]);
        assert_eq!(spread(2, 4), [1, 3]);
    }

    #[test]
    fn an_empty_url_holds_the_place_of_its_area() {
        let areas = [PrintArea::main(), PrintArea::main()];
        let urls = [String::new(), "https://example.com/back.png".to_owned()];
        let files = assign_files(&areas, &urls);
        assert!(files[0].file_urls.is_empty());
        assert_eq!(files[1].file_urls, ["https://example.com/back.png"]);
    }
}
