//! Print areas, and which files of an item belong to which of them.

use crate::checked::{Checked, Rules, rules_broken};
use crate::limits;
use crate::money::Amount;

/// A part of a product that is printed, and what its file must be.
pub type PrintArea = Checked<PrintAreaParts>;

/// Everything a [`PrintArea`] is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct PrintAreaParts {
    /// Unique within the product; not empty.
    pub id: String,
    /// The name shown to people, such as `Front`; not empty.
    pub name: String,
    /// Free text such as `4500x5400px`; can be empty.
    pub size: String,
    /// Free text on format, resolution, colour mode and largest file; can be empty.
    pub note: String,
    /// Width of the file in pixels, 1 to [`limits::PIXELS`]; `None` where the catalog does not say.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub width: Option<u32>,
    /// Height of the file in pixels, 1 to [`limits::PIXELS`]; `None` where the catalog does not say.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub height: Option<u32>,
    /// How binding the file is; [`PrintAreaParts::BASE_BELONGS`] unless the catalog says otherwise.
    pub requirement: String,
    /// What the requirement depends on.
    pub require_for: Vec<String>,
    /// What printing this area costs on top, a unit.
    pub extra_fee: Amount,
}

/// A rule that parts of a print area break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AreaError {
    /// The id is empty.
    #[error("a print area has an id")]
    Id,
    /// The name is empty.
    #[error("a print area has a name")]
    Name,
    /// The width is 0 or more than a print file may have.
    #[error("not 1 to {} pixels", limits::PIXELS)]
    Width,
    /// The height is 0 or more than a print file may have.
    #[error("not 1 to {} pixels", limits::PIXELS)]
    Height,
}

impl Rules for PrintAreaParts {
    type Broken = AreaError;

    fn broken(&self) -> Vec<AreaError> {
        let fits = |pixels: Option<u32>| pixels.is_none_or(|n| (1..=limits::PIXELS).contains(&n));
        rules_broken([
            (self.id.is_empty(), AreaError::Id),
            (self.name.is_empty(), AreaError::Name),
            (!fits(self.width), AreaError::Width),
            (!fits(self.height), AreaError::Height),
        ])
    }
}

impl PrintAreaParts {
    /// The requirement of an area for which the catalog states none.
    pub const BASE_BELONGS: &'static str = "base_belongs";
    /// The requirement of an area without whose file an item is incomplete.
    pub const REQUIRED: &'static str = "required";
    /// The requirement of an area that can stay empty.
    pub const OPTIONAL: &'static str = "optional";

    /// An area of which only the names are known.
    pub fn named(id: &str, name: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
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

impl PrintAreaParts {
    /// Returns the bytes of all texts except `require_for`.
    pub(crate) fn texts_bytes(&self) -> usize {
        let names = self.id.len() + self.name.len() + self.size.len();
        names + self.note.len() + self.requirement.len()
    }
}

impl PrintArea {
    /// The one area of a product that the catalog doesn't know.
    pub fn main() -> Self {
        Self::constant(PrintAreaParts::named("main", "Main"))
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
pub(crate) fn assign_files<'a>(
    areas: &'a [PrintArea],
    urls: &'a [String],
) -> Vec<FileRequirement<'a>> {
    let last = areas.len().saturating_sub(1);
    areas
        .iter()
        .enumerate()
        .map(|(i, area)| {
            let rest = urls.get(i..).unwrap_or_default();
            let limit = if i == last { usize::MAX } else { 1 };
            let own = rest.iter().take(limit).map(String::as_str);
            let file_urls = own.filter(|url| !url.is_empty()).collect();
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
