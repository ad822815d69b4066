//! Print areas of a SKU, one line each.

use pressline_domain::catalog::{AlphaRule, PrintArea};
use pressline_domain::value::{Amount, ColourModel, Currency, FileFormat};

/// Returns the line of `area`. What it asks of its files is left out if it is the default.
pub(super) fn area_line(area: &PrintArea, currency: Currency) -> String {
    let length = |pixels: Option<u32>| pixels.map_or("?".to_owned(), |pixels| pixels.to_string());
    let pixels = match (area.width, area.height) {
        (None, None) => String::new(),
        (width, height) => format!(", {} x {} pixels", length(width), length(height)),
    };
    let fee = match area.extra_fee {
        Amount::ZERO => String::new(),
        fee => format!(", {} extra", fee.display(currency)),
    };
    let rules: String = file_rules(area)
        .into_iter()
        .flatten()
        .map(|rule| format!(", {rule}"))
        .collect();
    format!(
        "  area      {}  {}{pixels}{rules}{fee}, {}",
        area.id, area.name, area.requirement
    )
}

fn file_rules(area: &PrintArea) -> [Option<String>; 9] {
    let formats = area.formats.iter().copied().map(FileFormat::as_str);
    let colours = area.colours.iter().copied().map(ColourModel::as_str);
    let millimetres = area.width_mm.zip(area.height_mm);
    [
        millimetres.map(|(width, height)| format!("{width} x {height} mm")),
        area.bleed_mm.map(|bleed| format!("{bleed} mm bleed")),
        area.dpi.map(|dpi| format!("{dpi} dpi")),
        area.min_dpi.map(|dpi| format!("at least {dpi} dpi")),
        area.aspect_tolerance
            .map(|percent| format!("proportions within {percent} %")),
        alternatives(formats.collect()),
        area.max_mb
            .map(|megabytes| format!("at most {megabytes} MB")),
        match area.alpha {
            AlphaRule::Any => None,
            AlphaRule::Required => Some("transparent".to_owned()),
            AlphaRule::None => Some("not transparent".to_owned()),
        },
        alternatives(colours.collect()),
    ]
}

/// Returns `None` if there are no `names`, which means any.
fn alternatives(names: Vec<&str>) -> Option<String> {
    (!names.is_empty()).then(|| names.join(" or "))
}

#[cfg(test)]
mod tests {
    use pressline_domain::catalog::PrintAreaParts;
    use pressline_domain::value::Tenths;

    use super::*;

    fn line(parts: PrintAreaParts) -> String {
        area_line(&PrintArea::new(parts).unwrap(), Currency::USD)
    }

    #[test]
    fn a_line_leaves_out_defaults() {
        let plain = PrintAreaParts::named("front", "Front");
        assert_eq!(
            line(plain.clone()),
            "  area      front  Front, base_belongs"
        );
        let strict = PrintAreaParts {
            width: Some(4500),
            height: Some(5400),
            formats: vec![FileFormat::Png, FileFormat::Pdf],
            max_mb: Some(50),
            width_mm: Some(Tenths::whole(210)),
            height_mm: Some(Tenths::new(995)),
            dpi: Some(150),
            min_dpi: Some(100),
            aspect_tolerance: Some(Tenths::new(0)),
            alpha: AlphaRule::Required,
            colours: vec![ColourModel::Rgb],
            bleed_mm: Some(Tenths::new(25)),
            ..plain
        };
        assert_eq!(
            line(strict),
            "  area      front  Front, 4500 x 5400 pixels, 210 x 99.5 mm, 2.5 mm bleed, 150 dpi, at \
             least 100 dpi, proportions within 0 %, png or pdf, at most 50 MB, transparent, rgb, \
             base_belongs"
        );
    }
}
