//! Line charts as SVG, both axes logarithmic.

use std::ops::Range;

use plotters::prelude::*;

use crate::BenchError;
use crate::report::number;

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

/// Width and height in pixels.
const SIZE: (u32, u32) = (720, 420);
const FONT: &str = "sans-serif";
/// Colours that are distinct for people with colour blindness (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    BLACK,
];

impl Plot {
    /// Returns the chart as the text of an SVG file. The same chart gives the same text.
    pub(crate) fn svg(&self) -> Result<String, BenchError> {
        let mut svg = String::new();
        self.draw(SVGBackend::with_string(&mut svg, SIZE))
            .map_err(|error| format!("the chart `{}`: {error}", self.title))?;
        Ok(svg)
    }

    fn draw<'a>(
        &self,
        backend: SVGBackend<'a>,
    ) -> Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>> {
        let area = backend.into_drawing_area();
        area.fill(&WHITE)?;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = powers_of_ten(points().map(|point| point.0));
        let y = powers_of_ten(points().map(|point| point.1));
        let mut chart = ChartBuilder::on(&area)
            .caption(&self.title, (FONT, 15))
            .margin(15)
            .x_label_area_size(45)
            .y_label_area_size(60)
            .build_cartesian_2d(x.log_scale(), y.log_scale())?;
        chart
            .configure_mesh()
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_label_formatter(&|value| number(*value))
            .y_label_formatter(&|value| number(*value))
            .draw()?;
        for (series, colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            let line = LineSeries::new(series.points.iter().copied(), colour.stroke_width(2));
            chart
                .draw_series(line.point_size(3))?
                .label(&series.name)
                .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .border_style(RGBColor(221, 221, 221))
            .draw()?;
        area.present()
    }
}

/// Returns the range between whole powers of ten that holds all values, a little wider.
fn powers_of_ten(values: impl Iterator<Item = f64>) -> Range<f64> {
    let logarithms: Vec<f64> = values
        .filter(|value| *value > 0.0)
        .map(f64::log10)
        .collect();
    let first = logarithms.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let last = logarithms.iter().copied().reduce(f64::max).unwrap_or(0.0);
    let (first, last) = (first.floor(), last.ceil());
    // Rounding in plotters must not take the label at either end away.
    const WIDER: f64 = 1e-9;
    10_f64.powf(first - WIDER)..10_f64.powf(last.max(first + 1.0) + WIDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(series: Vec<Series>) -> String {
        let plot = Plot {
            title: "T".to_owned(),
            x: "X".to_owned(),
            y: "Y".to_owned(),
            series,
        };
        let svg = plot.svg().unwrap();
        assert_eq!(svg, plot.svg().unwrap());
        svg
    }

    #[test]
    fn a_chart_has_its_line_its_legend_and_labels_at_powers_of_ten() {
        let svg = plot(vec![Series {
            name: "a < b & c".to_owned(),
            points: vec![(1.0, 0.1), (100.0, 10.0)],
        }]);
        assert!(svg.contains("#0072B2"), "{svg}");
        assert!(svg.contains("a &lt; b &amp; c"), "{svg}");
        for label in ["\n1\n", "\n10\n", "\n100\n", "\n0.1\n"] {
            assert!(svg.contains(label), "{label}: {svg}");
        }
    }

    #[test]
    fn axes_end_at_powers_of_ten() {
        for (values, first, last) in [
            (vec![0.2, 30.0], -1.0, 2.0),
            (vec![1.0], 0.0, 1.0),
            (vec![0.0], 0.0, 1.0),
        ] {
            let range = powers_of_ten(values.into_iter());
            assert!((range.start.log10() - first).abs() < 1e-6, "{range:?}");
            assert!((range.end.log10() - last).abs() < 1e-6, "{range:?}");
        }
    }

    #[test]
    fn a_chart_may_be_empty() {
        assert!(!plot(Vec::new()).contains("NaN"));
    }
}
