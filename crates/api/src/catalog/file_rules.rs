//! Rules of a print area for its files, in responses of orders and products.

use pressline_domain::catalog::{AlphaRule, PrintArea};
use pressline_domain::value::{ColourModel, FileFormat};
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::Decimal;
use crate::schema::{AlphaRuleName, ColourModelName, FileFormatName};

/// Rules of a print area for its files. A field is absent if its default applies.
#[derive(Serialize, ToSchema)]
#[schema(as = FileRules)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileRulesResponse {
    /// Formats that a file can have; default `png`, `jpeg`, `tiff`, `webp`, `svg` and `pdf`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Option<Vec<FileFormatName>>, nullable = false)]
    formats: Vec<&'static str>,
    /// Maximum size of a file, in bytes; default 200,000,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1_000_000, maximum = 200_000_000)]
    max_bytes: Option<u64>,
    /// Width of the area without bleed, in millimetres; unknown if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false, minimum = 1, maximum = 10_000)]
    width_mm: Option<Decimal>,
    /// Height of the area without bleed, in millimetres; unknown if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false, minimum = 1, maximum = 10_000)]
    height_mm: Option<Decimal>,
    /// Resolution in which the area should be printed, in dots per inch; default 300.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 36, maximum = 2400)]
    dpi: Option<u32>,
    /// Resolution below which a file is unfit, in dots per inch; default half of `dpi`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 2400)]
    min_dpi: Option<u32>,
    /// Tolerance for the proportions of a file, in percent; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false, minimum = 0, maximum = 50)]
    aspect_tolerance: Option<Decimal>,
    /// `required` if a file must have transparent pixels, `none` if it must not; default `any`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<AlphaRuleName>, nullable = false)]
    alpha: Option<&'static str>,
    /// Colour models that a file can have; default any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Option<Vec<ColourModelName>>, nullable = false)]
    colours: Vec<&'static str>,
    /// Bleed on each side, in millimetres; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false, minimum = 0, maximum = 50)]
    bleed_mm: Option<Decimal>,
}

impl FileRulesResponse {
    pub(crate) fn new(area: &PrintArea) -> Self {
        let formats = area.formats.iter().copied().map(FileFormat::as_str);
        let colours = area.colours.iter().copied().map(ColourModel::as_str);
        let alpha = Some(area.alpha).filter(|alpha| !alpha.is_any());
        Self {
            formats: formats.collect(),
            max_bytes: area.max_mb.map(|_| area.max_bytes()),
            width_mm: area.width_mm.map(Decimal),
            height_mm: area.height_mm.map(Decimal),
            dpi: area.dpi,
            min_dpi: area.min_dpi,
            aspect_tolerance: area.aspect_tolerance.map(Decimal),
            alpha: alpha.map(AlphaRule::as_str),
            colours: colours.collect(),
            bleed_mm: area.bleed_mm.map(Decimal),
        }
    }
}
