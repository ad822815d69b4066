//! Line charts as SVG, both axes logarithmic.

use std::fmt::Write;

/// A line of a chart.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Points whose coordinates are greater than 0, from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Debug, Clone)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Room for the words around the chart.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;
/// Colours that are distinct for people with colour blindness (Okabe and Ito).
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999",
];

impl Plot {
    /// The chart as the text of an SVG file. The same chart gives the same text.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Axis::over(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
        let y = Axis::over(points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
        );
        text(&mut svg, LEFT, 22.0, "font-size=\"15\"", &self.title);
        text(
            &mut svg,
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 18.0,
            "text-anchor=\"middle\"",
            &self.x,
        );
        let turned = format!(
            "transform=\"rotate(-90 18 {0})\" text-anchor=\"middle\"",
            HEIGHT / 2.0
        );
        text(&mut svg, 18.0, HEIGHT / 2.0, &turned, &self.y);
        for (value, label) in x.ticks() {
            let at = x.place(value);
            line(&mut svg, (at, TOP), (at, HEIGHT - BOTTOM));
            text(
                &mut svg,
                at,
                HEIGHT - BOTTOM + 18.0,
                "text-anchor=\"middle\"",
                &label,
            );
        }
        for (value, label) in y.ticks() {
            let at = y.place(value);
            line(&mut svg, (LEFT, at), (WIDTH - RIGHT, at));
            text(
                &mut svg,
                LEFT - 8.0,
                at + 4.0,
                "text-anchor=\"end\"",
                &label,
            );
        }
        for ((row, series), colour) in (0_u32..).zip(&self.series).zip(COLOURS.iter().cycle()) {
            draw(&mut svg, series, colour, &x, &y);
            let at = TOP + 14.0 + 20.0 * f64::from(row);
            text(
                &mut svg,
                WIDTH - RIGHT + 14.0,
                at,
                &format!("fill=\"{colour}\""),
                &series.name,
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn draw(svg: &mut String, series: &Series, colour: &str, x: &Axis, y: &Axis) {
    let places: Vec<_> = series
        .points
        .iter()
        .map(|point| (x.place(point.0), y.place(point.1)))
        .collect();
    let path: Vec<_> = places
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    // Writing to a text cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        path.join(" ")
    );
    for (x, y) in places {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
        );
    }
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64)) {
    let _ = writeln!(
        svg,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(svg: &mut String, x: f64, y: f64, attributes: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{words}</text>"
    );
}

/// A logarithmic axis over whole powers of ten.
struct Axis {
    /// Powers of ten.
    first: i32,
    last: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut first, mut last) = (i32::MAX, i32::MIN);
        for value in values.filter(|value| *value > 0.0) {
            first = first.min(whole(value.log10().floor()));
            last = last.max(whole(value.log10().ceil()));
        }
        if first > last {
            (first, last) = (0, 1);
        }
        Self {
            first,
            last: last.max(first + 1),
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.from + part * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        (self.first..=self.last).map(|power| {
            let value = 10_f64.powi(power);
            (value, crate::report::number(value))
        })
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the logarithm of a number is small"
)]
fn whole(value: f64) -> i32 {
    value as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_drawn_to_scale() {
        let series = Series {
            name: "a < b & c".to_owned(),
            points: vec![(1.0, 0.1), (100.0, 10.0)],
        };
        let plot = Plot {
            title: "T".to_owned(),
            x: "X".to_owned(),
            y: "Y".to_owned(),
            series: vec![series],
        };
        let svg = plot.svg();
        // From corner to corner of the field, which spans two powers of ten on each axis.
        assert!(
            svg.contains("<polyline points=\"70.0,360.0 550.0,40.0\""),
            "{svg}"
        );
        assert!(svg.contains(">a &lt; b &amp; c</text>"), "{svg}");
        for label in [">1</text>", ">10</text>", ">100</text>", ">0.1</text>"] {
            assert!(svg.contains(label), "{label}: {svg}");
        }
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg, plot.svg());
    }

    #[test]
    fn an_empty_chart_is_one_too() {
        let plot = Plot {
            title: "T".to_owned(),
            x: "X".to_owned(),
            y: "Y".to_owned(),
            series: Vec::new(),
        };
        assert!(!plot.svg().contains("NaN"));
    }
}
