//! Codes as barcodes.

use std::fmt::Write as _;

use askama::Template;
use askama::filters::HtmlSafe;
use code128::Code128;

/// Number of modules per inch of a barcode. A module is the width of the narrowest bar: 0.339 mm,
/// or exactly 2 dots of a printer with 150 dpi, so that equal bars have equal widths in print.
const MODULES_PER_INCH: usize = 75;
/// Number of modules per inch for a barcode that would be wider than [`LABEL`] otherwise.
// 1.8 dots at 150 dpi: bars become uneven, but the code fits on the label.
const LONG_PER_INCH: usize = 85;
/// Width of a 4 x 6 inch label without its margins, in modules of [`MODULES_PER_INCH`].
const LABEL: usize = 276;
/// Height of a barcode's bars, in modules: about 13.5 mm.
const BARS: usize = 40;
/// Height of the barcode with the text below the bars, in modules.
const HEIGHT: usize = 54;
/// Distance from the top of the barcode to the baseline of its text, in modules.
const BASELINE: usize = 51;

/// Code 128 barcode with its text: `{{ barcode }}`. It has the standard's quiet zones and a size in
/// inches, so that it is printed at the same size on any paper.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(
    ext = "html",
    source = "<svg class=\"barcode\" role=\"img\" aria-label=\"Barcode {{ text }}\" width=\"{{ width }}in\" height=\"{{ height }}in\" viewBox=\"0 0 {{ modules }} {{ rows }}\"><path d=\"{{ path }}\"/><text x=\"{{ middle }}\" y=\"{{ baseline }}\" font-size=\"10\" text-anchor=\"middle\">{{ text }}</text></svg>"
)]
pub(crate) struct Barcode {
    text: String,
    /// Width in inches, as a decimal number.
    width: String,
    height: String,
    /// Width in modules, with the quiet zones.
    modules: usize,
    rows: usize,
    middle: usize,
    baseline: usize,
    path: String,
}

impl HtmlSafe for Barcode {}

impl Barcode {
    /// Creates the barcode of `text`, which must consist of A-Z, digits and hyphens.
    pub(crate) fn new(text: &str) -> Self {
        let code = Code128::encode(text.as_bytes());
        let modules = code.len();
        let density = match modules {
            0..=LABEL => MODULES_PER_INCH,
            _ => LONG_PER_INCH,
        };
        // Relative to the previous bar, so that codes have much in common and pages compress well.
        let mut path = String::from("M0 0");
        let mut at = 0;
        for bar in code.bar_coordinates() {
            let (step, width) = (bar.x - at, bar.width);
            // Writing to a string cannot fail.
            let _ = write!(path, "m{step} 0h{width}v{BARS}h-{width}z");
            at = bar.x;
        }
        Self {
            text: text.to_owned(),
            width: inches(modules, density),
            height: inches(HEIGHT, density),
            modules,
            rows: HEIGHT,
            middle: modules / 2,
            baseline: BASELINE,
            path,
        }
    }
}

fn inches(modules: usize, density: usize) -> String {
    let parts = (modules * 10_000).div_ceil(density);
    format!("{}.{:04}", parts / 10_000, parts % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(html: &str) -> Vec<(usize, usize)> {
        let (_, rest) = html.split_once("d=\"M0 0").unwrap();
        let path = rest.split('"').next().unwrap();
        let mut at = 0;
        let bars = path.split('m').skip(1);
        bars.map(|bar| {
            let (step, rest) = bar.split_once(" 0h").unwrap();
            let (width, _) = rest.split_once('v').unwrap();
            at += step.parse::<usize>().unwrap();
            (at, width.parse().unwrap())
        })
        .collect()
    }

    #[test]
    fn bars_are_wide_enough_and_have_quiet_zones() {
        for text in ["SUN-1042-1", "BATCH-12", "A-1", "ABCDEFGHIJKL-999999-100"] {
            let barcode = Barcode::new(text);
            let bars = bars(&barcode.render().unwrap());
            let (first, _) = bars[0];
            let (last, width) = bars[bars.len() - 1];
            assert_eq!(first, 10, "{text}");
            assert_eq!(barcode.modules - last - width, 10, "{text}");
            let inches: f64 = barcode.width.parse().unwrap();
            assert!(inches <= 4.0 - 2.0 * 4.0 / 25.4, "{text}: {inches} in");
        }
    }

    #[test]
    fn a_module_is_a_whole_number_of_dots() {
        for text in ["SUN-1042-1", "BATCH-12", "ABCDEFGH-999999-100"] {
            let barcode = Barcode::new(text);
            let inches: f64 = barcode.width.parse().unwrap();
            let modules = f64::from(u32::try_from(barcode.modules).unwrap());
            for (dpi, dots) in [(150.0, 2.0), (300.0, 4.0), (600.0, 8.0)] {
                let error = inches * dpi - modules * dots;
                assert!(error.abs() < 0.1, "{text}: {error} dots at {dpi} dpi");
            }
        }
    }

    #[test]
    fn the_text_is_below_the_bars_and_escaped() {
        let html = Barcode::new("SUN-1042-1").render().unwrap();
        assert!(html.ends_with(">SUN-1042-1</text></svg>"), "{html}");
        assert!(!html.contains("style="), "{html}");
        let hostile = Barcode::new("\"><script>").render().unwrap();
        assert!(!hostile.contains("<script>"), "{hostile}");
    }
}
