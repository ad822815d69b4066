//! Codes as bars that scanners read.

use std::fmt::Write as _;

use askama::Template;
use askama::filters::HtmlSafe;
use code128::Code128;

/// Width of a module, the narrowest bar, in thousandths of a millimetre. Usual scanners and printers
/// need at least 250.
const MODULE: usize = 300;
/// Height of the bars, in modules: 12 mm.
const BARS: usize = 40;
/// Height with the text, in modules.
const HEIGHT: usize = 54;
/// Position of the text, in modules from the top.
const BASELINE: usize = 51;

/// A Code 128 barcode with its text: `{{ barcode }}`. It has the standard's quiet zones and a size in
/// millimetres, so that it is printed at the same size on any paper.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(
    ext = "html",
    source = "<svg class=\"barcode\" role=\"img\" aria-label=\"Barcode {{ text }}\" width=\"{{ width }}mm\" height=\"{{ height }}mm\" viewBox=\"0 0 {{ modules }} {{ rows }}\"><path d=\"{{ path }}\"/><text x=\"{{ middle }}\" y=\"{{ baseline }}\" font-size=\"10\" text-anchor=\"middle\">{{ text }}</text></svg>"
)]
pub(crate) struct Barcode {
    text: String,
    /// In millimetres.
    width: String,
    height: String,
    /// In modules, with the quiet zones.
    modules: usize,
    rows: usize,
    middle: usize,
    baseline: usize,
    path: String,
}

impl HtmlSafe for Barcode {}

impl Barcode {
    /// `text` consists of A-Z, digits and hyphens.
    pub(crate) fn of(text: &str) -> Self {
        let code = Code128::encode(text.as_bytes());
        let modules = code.len();
        // Relative to the bar before, so that codes have much in common and pages compress well.
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
            width: millimetres(modules),
            height: millimetres(HEIGHT),
            modules,
            rows: HEIGHT,
            middle: modules / 2,
            baseline: BASELINE,
            path,
        }
    }
}

fn millimetres(modules: usize) -> String {
    let micrometres = modules * MODULE;
    format!("{}.{:03}", micrometres / 1000, micrometres % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns where the bars of a picture begin, and how wide they are, in modules.
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
            let barcode = Barcode::of(text);
            let bars = bars(&barcode.render().unwrap());
            let (first, _) = bars[0];
            let (last, width) = bars[bars.len() - 1];
            assert_eq!(first, 10, "{text}");
            assert_eq!(barcode.modules - last - width, 10, "{text}");
            assert_eq!(barcode.width, millimetres(barcode.modules), "{text}");
        }
        assert_eq!(millimetres(1), "0.300");
        assert_eq!(millimetres(HEIGHT), "16.200");
    }

    #[test]
    fn the_text_is_below_the_bars_and_escaped() {
        let html = Barcode::of("SUN-1042-1").render().unwrap();
        assert!(html.ends_with(">SUN-1042-1</text></svg>"), "{html}");
        assert!(!html.contains("style="), "{html}");
        let hostile = Barcode::of("\"><script>").render().unwrap();
        assert!(!hostile.contains("<script>"), "{hostile}");
    }
}
