//! Print areas of variants: cells of a row.

use crate::rows::{Row, Value};
use pressline_domain::catalog::{AlphaRule, AreaError, PrintArea, PrintAreaParts};
use pressline_domain::check::limits;
use pressline_domain::value::{Amount, ColourModel, Currency, FileFormat, Tenths};

/// Reads a print area; `None`, with findings, if it breaks a rule.
pub(super) fn area(row: &mut Row, currency: Currency) -> Option<PrintArea> {
    let requirement = row.text("requirement");
    let parts = PrintAreaParts {
        id: row.required("area_id", ""),
        name: row.required("area_name", ""),
        size: row.text("size"),
        note: row.text("note"),
        width: pixels(row, "size_width"),
        height: pixels(row, "size_height"),
        // Exports leave the default requirement blank.
        requirement: if requirement.is_empty() {
            PrintAreaParts::BASE_BELONGS.to_owned()
        } else {
            requirement
        },
        require_for: row.list("require_for"),
        extra_fee: row.amount("extra_fee", currency).unwrap_or_default(),
        extra_fee_currency: None,
        ..file_rules(row)
    };
    row.made(PrintArea::new(parts), column_of)
}

/// Returns an area with the columns about its print files. A value that is the default is left out,
/// so that neither the catalog nor the orders of such a file store it.
fn file_rules(row: &mut Row) -> PrintAreaParts {
    let named_formats = PrintAreaParts::POSSIBLE_FORMATS.map(|format| (format.as_str(), format));
    let mut formats: Vec<FileFormat> = row.some_of("formats", &named_formats);
    formats.sort_unstable();
    let named_colours = PrintAreaParts::POSSIBLE_COLOURS.map(|colour| (colour.as_str(), colour));
    let mut colours: Vec<ColourModel> = row.some_of("colour", &named_colours);
    colours.sort_unstable();
    let named_alphas = AlphaRule::ALL.map(|alpha| (alpha.as_str(), alpha));
    let dpi = row.whole_or_blank("dpi", "dots per inch");
    let half = dpi.unwrap_or(PrintAreaParts::USUAL_DPI) / 2;
    let tolerance = PrintAreaParts::USUAL_ASPECT_TOLERANCE;
    PrintAreaParts {
        formats: if formats == PrintAreaParts::USUAL_FORMATS {
            Vec::new()
        } else {
            formats
        },
        max_mb: other_than(
            row.whole_or_blank("max_mb", "megabytes"),
            limits::PRINT_FILE_MB,
        ),
        width_mm: row.tenths("width_mm", "millimetres"),
        height_mm: row.tenths("height_mm", "millimetres"),
        min_dpi: other_than(row.whole_or_blank("min_dpi", "dots per inch"), half),
        dpi: other_than(dpi, PrintAreaParts::USUAL_DPI),
        aspect_tolerance: other_than(row.tenths("aspect_tolerance", "percent"), tolerance),
        alpha: row.one_of("alpha", &named_alphas).unwrap_or_default(),
        colours,
        bleed_mm: other_than(row.tenths("bleed_mm", "millimetres"), Tenths::default()),
        ..PrintAreaParts::named("", "")
    }
}

fn other_than<T: PartialEq>(value: Option<T>, default: T) -> Option<T> {
    value.filter(|value| *value != default)
}

/// Returns the number of pixels in `column`; `None` if the cell is blank, invalid or 0.
fn pixels(row: &mut Row, column: &str) -> Option<u32> {
    Some(row.whole(column, "pixels")).filter(|pixels| *pixels > 0)
}

fn column_of(rule: &AreaError) -> &'static str {
    match rule {
        AreaError::Id => "area_id",
        AreaError::Name => "area_name",
        AreaError::Width => "size_width",
        AreaError::Height => "size_height",
        AreaError::Formats => "formats",
        AreaError::MaxMb => "max_mb",
        AreaError::WidthMm => "width_mm",
        AreaError::HeightMm => "height_mm",
        AreaError::Dpi => "dpi",
        AreaError::MinDpi(_) => "min_dpi",
        AreaError::AspectTolerance => "aspect_tolerance",
        AreaError::Colours => "colour",
        AreaError::BleedMm => "bleed_mm",
    }
}

/// Returns `area` as cells for an export. Defaults are blank.
pub(super) fn area_cells(area: &PrintArea, currency: Currency) -> Vec<Value> {
    let requirement =
        Some(area.requirement.as_str()).filter(|text| *text != PrintAreaParts::BASE_BELONGS);
    let fee = Some(area.extra_fee).filter(|fee| *fee > Amount::ZERO);
    let fee = fee.map(|fee| fee.to_fixed(currency));
    let alpha = Some(area.alpha).filter(|alpha| !alpha.is_any());
    vec![
        Value::text(&area.id),
        Value::text(&area.name),
        Value::text(&area.size),
        Value::text(&area.note),
        Value::number(area.width.unwrap_or(0)),
        Value::number(area.height.unwrap_or(0)),
        Value::text(requirement.unwrap_or_default()),
        Value::list(&area.require_for),
        Value::text(fee.unwrap_or_default()),
        names(&area.formats, |format| format.as_str()),
        number(area.max_mb),
        number(area.width_mm),
        number(area.height_mm),
        number(area.dpi),
        number(area.min_dpi),
        number(area.aspect_tolerance),
        Value::text(alpha.map_or("", AlphaRule::as_str)),
        names(&area.colours, |colour| colour.as_str()),
        number(area.bleed_mm),
    ]
}

fn names<T: Copy>(values: &[T], name: impl Fn(T) -> &'static str) -> Value {
    let names: Vec<String> = values.iter().map(|value| name(*value).to_owned()).collect();
    Value::list(&names)
}

/// Unlike [`Value::number`], writes the number 0.
fn number(number: Option<impl ToString>) -> Value {
    number.map_or(Value::Absent, |number| Value::Number(number.to_string()))
}
