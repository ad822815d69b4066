//! Orders and units of each of the last hours, as a chart and as numbers.

use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::overview::HourCounts;

use crate::shell::list::count_text;
use crate::shell::{When, counted};

/// Height of the chart's highest bar, in SVG units. The chart is [`HOUR`] units wide per hour.
const HEIGHT: u64 = 100;
const HOUR: usize = 20;

pub(super) struct Chart {
    pub(super) hours: Vec<Hour>,
    pub(super) width: usize,
    pub(super) height: u64,
    pub(super) orders: String,
    pub(super) units: String,
}

pub(super) struct Hour {
    pub(super) from: When,
    pub(super) orders: Bar,
    pub(super) units: Bar,
}

pub(super) struct Bar {
    pub(super) x: usize,
    pub(super) y: u64,
    pub(super) height: u64,
    pub(super) number: String,
}

impl Chart {
    /// Orders and units have separate scales.
    pub(super) fn new(hours: &[HourCounts], zone: &ZoneName) -> Self {
        let limit = |count: fn(&HourCounts) -> u64| hours.iter().map(count).max().unwrap_or(0);
        let (most_orders, most_units) = (limit(|hour| hour.orders), limit(|hour| hour.units));
        let bars = hours.iter().enumerate().map(|(position, hour)| Hour {
            from: When::in_zone(hour.from, zone),
            orders: Bar::new(position * HOUR, hour.orders, most_orders),
            units: Bar::new(position * HOUR + HOUR / 2, hour.units, most_units),
        });
        Self {
            hours: bars.collect(),
            width: hours.len() * HOUR,
            height: HEIGHT,
            orders: counted(hours.iter().map(|hour| hour.orders).sum::<u64>(), "order"),
            units: counted(hours.iter().map(|hour| hour.units).sum::<u64>(), "unit"),
        }
    }
}

impl Bar {
    fn new(x: usize, number: u64, limit: u64) -> Self {
        // Rounded up, so that a small number is visible.
        let height = number
            .saturating_mul(HEIGHT)
            .div_ceil(limit.max(1))
            .min(HEIGHT);
        Self {
            x,
            y: HEIGHT - height,
            height,
            number: count_text(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::value::Timestamp;

    use super::*;

    fn hour(orders: u64, units: u64) -> HourCounts {
        HourCounts {
            from: Timestamp::from_millis(1_795_266_300_000),
            orders,
            units,
        }
    }

    #[test]
    fn bars_are_as_high_as_their_numbers_among_the_largest() {
        let zone: ZoneName = "UTC".parse().unwrap();
        let chart = Chart::new(&[hour(4, 0), hour(1, 1000), hour(0, 1)], &zone);
        let heights = chart
            .hours
            .iter()
            .map(|hour| (hour.orders.height, hour.units.height));
        assert_eq!(heights.collect::<Vec<_>>(), [(100, 0), (25, 100), (0, 1)]);
        assert_eq!(chart.hours[1].orders.y, 75);
        assert_eq!((chart.hours[1].orders.x, chart.hours[1].units.x), (20, 30));
        assert_eq!((chart.width, chart.orders.as_str()), (60, "5 orders"));
        let empty = Chart::new(&[hour(0, 0)], &zone);
        assert_eq!(empty.hours[0].orders.height, 0);
    }
}
