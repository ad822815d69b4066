//! Print areas, and the assignment of an item's print files to its areas.

use crate::check::checked::{Checked, Rules, rules_broken};
use crate::check::limits;
use crate::value::{Amount, ColourModel, Currency, FileFormat, Tenths};

/// Printable area of a product, such as the front, with the requirements on the area's print file.
pub type PrintArea = Checked<PrintAreaParts>;

/// Public fields of a [`PrintArea`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct PrintAreaParts {
    /// Id of the area, unique within the product; not empty.
    pub id: String,
    /// Display name, such as `Front`; not empty.
    pub name: String,
    /// Size as text, such as `4500x5400px`; can be empty.
    pub size: String,
    /// Text on format, resolution, colour mode and maximum file size; can be empty.
    pub note: String,
    /// Width of the print file in pixels, 1 to [`limits::PIXELS`]; `None` if it is not stated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub width: Option<u32>,
    /// Height of the print file in pixels, 1 to [`limits::PIXELS`]; `None` if it is not stated.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub height: Option<u32>,
    /// Whether the area must have a print file, as a word such as [`PrintAreaParts::REQUIRED`]. An
    /// unknown word has the same effect as the default, [`PrintAreaParts::BASE_BELONGS`].
    pub requirement: String,
    /// Ids of the areas that need a print file as soon as this area has a print file.
    pub require_for: Vec<String>,
    /// Extra fee per unit for printing this area, in the currency of the variant.
    pub extra_fee: Amount,
    /// Currency of `extra_fee` in an order with another currency; `None` in the catalog, and in an
    /// order with the variant's currency.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub extra_fee_currency: Option<Currency>,
    /// Formats that a print file can have, each once, of [`PrintAreaParts::POSSIBLE_FORMATS`];
    /// empty if they are [`PrintAreaParts::USUAL_FORMATS`].
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub formats: Vec<FileFormat>,
    /// Maximum size of a print file in megabytes, 1 to [`limits::PRINT_FILE_MB`], the default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_mb: Option<u32>,
    /// Width of the area without bleed in millimetres, 1 to [`limits::AREA_MM`]; `None` if it is
    /// unknown.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub width_mm: Option<Tenths>,
    /// Height of the area without bleed in millimetres, 1 to [`limits::AREA_MM`]; `None` if it is
    /// unknown.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub height_mm: Option<Tenths>,
    /// Resolution in which the area should be printed, [`limits::LOWEST_DPI`] to
    /// [`limits::HIGHEST_DPI`] dots per inch; `None` for [`PrintAreaParts::USUAL_DPI`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub dpi: Option<u32>,
    /// Resolution below which a print file is unfit, 1 to `dpi`; `None` for half of `dpi`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub min_dpi: Option<u32>,
    /// Tolerance for the proportions of a print file in percent, 0 to
    /// [`limits::ASPECT_TOLERANCE`]; `None` for [`PrintAreaParts::USUAL_ASPECT_TOLERANCE`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub aspect_tolerance: Option<Tenths>,
    /// Whether a print file must or must not be transparent.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "AlphaRule::is_any")
    )]
    pub alpha: AlphaRule,
    /// Colour models that a print file can have, each once, of
    /// [`PrintAreaParts::POSSIBLE_COLOURS`]; empty if it can have any.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub colours: Vec<ColourModel>,
    /// Bleed on each side in millimetres, 0 to [`limits::BLEED_MM`]; `None` for 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub bleed_mm: Option<Tenths>,
}

pressline_kit::named! {
    /// Whether a print area needs transparent files, such as prints on garments, or forbids them.
    #[derive(Default)]
    pub enum AlphaRule {
        /// Transparent or not.
        #[default]
        Any = "any",
        /// At least one pixel must be transparent.
        Required = "required",
        /// No pixel may be transparent.
        None = "none",
    }
}

impl AlphaRule {
    /// Returns `true` for the default, [`AlphaRule::Any`].
    pub fn is_any(&self) -> bool {
        *self == Self::Any
    }
}

/// Rule that a [`PrintAreaParts`] value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AreaError {
    /// `id` is empty.
    #[error("the id of a print area must not be empty")]
    Id,
    /// `name` is empty.
    #[error("the name of a print area must not be empty")]
    Name,
    /// `width` is 0 or more than [`limits::PIXELS`].
    #[error("not 1 to {} pixels", limits::PIXELS)]
    Width,
    /// `height` is 0 or more than [`limits::PIXELS`].
    #[error("not 1 to {} pixels", limits::PIXELS)]
    Height,
    /// `formats` has a format twice, or one that is not in [`PrintAreaParts::POSSIBLE_FORMATS`].
    #[error("a format is listed twice, or cannot be printed")]
    Formats,
    /// `max_mb` is 0 or more than [`limits::PRINT_FILE_MB`].
    #[error("not 1 to {} megabytes", limits::PRINT_FILE_MB)]
    MaxMb,
    /// `width_mm` is less than 1 or more than [`limits::AREA_MM`].
    #[error("not 1 to {} millimetres", limits::AREA_MM)]
    WidthMm,
    /// `height_mm` is less than 1 or more than [`limits::AREA_MM`].
    #[error("not 1 to {} millimetres", limits::AREA_MM)]
    HeightMm,
    /// `dpi` is less than [`limits::LOWEST_DPI`] or more than [`limits::HIGHEST_DPI`].
    #[error("not {} to {} dpi", limits::LOWEST_DPI, limits::HIGHEST_DPI)]
    Dpi,
    /// `min_dpi` is 0 or more than the resolution asked for, which the variant contains.
    #[error("not 1 to {0} dpi, the resolution that the area asks for")]
    MinDpi(u32),
    /// `aspect_tolerance` is more than [`limits::ASPECT_TOLERANCE`].
    #[error("more than {} percent", limits::ASPECT_TOLERANCE)]
    AspectTolerance,
    /// `colours` has a colour model twice, or one that is not in
    /// [`PrintAreaParts::POSSIBLE_COLOURS`].
    #[error("a colour model is listed twice, or cannot be printed")]
    Colours,
    /// `bleed_mm` is more than [`limits::BLEED_MM`].
    #[error("more than {} millimetres", limits::BLEED_MM)]
    BleedMm,
}

impl Rules for PrintAreaParts {
    type Broken = AreaError;

    fn broken(&self) -> Vec<AreaError> {
        let fits = |pixels: Option<u32>| pixels.is_none_or(|n| (1..=limits::PIXELS).contains(&n));
        let mut broken = rules_broken([
            (self.id.is_empty(), AreaError::Id),
            (self.name.is_empty(), AreaError::Name),
            (!fits(self.width), AreaError::Width),
            (!fits(self.height), AreaError::Height),
        ]);
        broken.extend(self.broken_file_rules());
        broken
    }
}

impl PrintAreaParts {
    /// Default of `requirement`: no file is needed if another area of the item has a print file.
    pub const BASE_BELONGS: &'static str = "base_belongs";
    /// Value of `requirement` if the area must have a print file for the item to be complete.
    pub const REQUIRED: &'static str = "required";
    /// Value of `requirement` if the area can stay without a print file.
    pub const OPTIONAL: &'static str = "optional";

    /// Returns an area with this `id` and `name`, and defaults in all other fields.
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
            extra_fee_currency: None,
            formats: Vec::new(),
            max_mb: None,
            width_mm: None,
            height_mm: None,
            dpi: None,
            min_dpi: None,
            aspect_tolerance: None,
            alpha: AlphaRule::Any,
            colours: Vec::new(),
            bleed_mm: None,
        }
    }

    /// Returns the size of the area's texts, in bytes. Excludes the ids in `require_for`.
    pub(crate) fn texts_bytes(&self) -> usize {
        let names = self.id.len() + self.name.len() + self.size.len();
        names + self.note.len() + self.requirement.len()
    }
}

impl PrintArea {
    /// Returns the area `main`: the only area of a product for which the catalog lists no area.
    pub fn main() -> Self {
        Self::constant(PrintAreaParts::named("main", "Main"))
    }

    /// Returns this area of a variant with the currency `own`, for an order with another currency.
    pub(crate) fn with_currency(&self, own: Currency) -> Self {
        // The currency is part of no rule, so the copy is valid, too.
        Self::constant(PrintAreaParts {
            extra_fee_currency: Some(own),
            ..PrintAreaParts::clone(self)
        })
    }
}

/// Print area of an ordered item, with the item's print files for the area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRequirement<'a> {
    /// Print area of the item's variant.
    pub area: &'a PrintArea,
    /// URLs of the print files for `area`; empty if the order contains none.
    pub file_urls: Vec<&'a str>,
}

/// Gives the i-th area the i-th URL, the last area all further URLs. An empty URL is not a file.
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
