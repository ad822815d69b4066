//! Products as the catalog keeps them, and what each of their print areas asks of a file.

use crate::money::{Amount, Currency};

/// The ship class of an item that names none.
pub const STANDARD_SHIP_CLASS: &str = "Standard";

/// A state of the catalog. It grows with every import that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CatalogVersion(pub i64);

/// A product that can be ordered by its SKU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The stock keeping unit, unique in the catalog, compared letter by letter.
    pub sku: String,
    /// The name shown to people.
    pub name: String,
    /// What one unit costs the store; `None` where the catalog gives no price.
    pub price: Option<Amount>,
    /// The currency of `price` and of the areas' extra fees.
    pub currency: Currency,
    /// The print areas, in the order in which they take file URLs; at least one.
    pub areas: Vec<PrintArea>,
}

/// A part of a product that is printed, and what its file must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintArea {
    /// Unique within the product.
    pub id: String,
    /// The name shown to people, such as `Front`.
    pub name: String,
    /// Free text such as `4500x5400px`; can be empty.
    pub size: String,
    /// Free text on format, resolution, colour mode and largest file; can be empty.
    pub note: String,
    /// Width of the file in pixels; 0 where nothing is asked.
    pub width: u32,
    /// Height of the file in pixels; 0 where nothing is asked.
    pub height: u32,
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
            width: 0,
            height: 0,
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

/// Gives each area its files: one area takes all; of several the i-th takes the i-th, the last all further ones.
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
            let own = if i == last { rest } else { rest.get(..1).unwrap_or_default() };
            let file_urls = own.iter().map(String::as_str).filter(|url| !url.is_empty()).collect();
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
        assign_files(&areas, &urls).iter().map(|f| f.file_urls.len()).collect()
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
