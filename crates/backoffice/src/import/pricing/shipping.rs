//! Rows of shipping rates: a row for each rate. Each row repeats the regions of its zone.

use std::collections::HashMap;

use crate::rows::{Content, Findings, Row, Rows, Sheet, SheetRow, Value};
use pressline_domain::pricing::tariff::{
    RateConflict, RateError, RateSet, Region, ShippingRate, ShippingRateParts, ShippingRates,
    WeightStep, Zone, ZoneError, ZoneParts,
};
use pressline_domain::value::{Amount, Currency};

/// Columns of a rate. If all are blank, the row defines a zone without rates, for fee schedules.
const OF_RATE: [&str; 6] = [
    "ship_class",
    "currency",
    "first_unit",
    "further_unit",
    "weight_steps",
    "free_from",
];
const STEP: &str = "GRAMS:AMOUNT, such as 1000:2.50|5000:9";

/// Rows with errors are left out, so that they cause no errors in correct rows of their zones.
#[derive(Default)]
struct Reading {
    rates: RateSet,
    /// Line of the first row of each zone.
    zone_lines: HashMap<String, u64>,
    rate_lines: Vec<u64>,
}

/// Reads zones and rates from `rows`. The rates are in the order of their zones.
pub fn read_shipping(rows: Rows) -> Result<ShippingRates, Findings> {
    let mut reading = Reading::default();
    rows.each(|record| reading.row(&mut record.row))?;
    Ok(reading.rates.into_rates())
}

impl Reading {
    fn row(&mut self, row: &mut Row) {
        let name = row.required("zone", "a name such as Domestic");
        let places = places(row);
        let new_zone = Zone::new(ZoneParts {
            name: name.clone(),
            places,
        });
        let zone = row.made(new_zone, |broken| match broken {
            ZoneError::Name => "zone",
            ZoneError::Repeated(_) => "places",
        });
        let has_rate = !row.blank(&OF_RATE);
        let rate = has_rate.then(|| rate(row, &name)).flatten();
        let Some(zone) = zone.filter(|_| !row.is_wrong()) else {
            return;
        };
        if self.rates.add_zone(zone).is_err() {
            let line = self.zone_lines.get(&name).copied().unwrap_or(0);
            // Each row repeats the places of its zone, so a difference is a mistake.
            let message = format!("zone `{name}` has other places in line {line}");
            row.problem("places", message);
            return;
        }
        self.zone_lines.entry(name).or_insert(row.line);
        if let Some(rate) = rate {
            self.rate(row, rate);
        }
    }

    fn rate(&mut self, row: &mut Row, rate: ShippingRate) {
        let what = format!("`{}` in {}", rate.ship_class, rate.currency);
        let to = rate.zone.clone();
        match self.rates.add_rate(rate) {
            Ok(()) => self.rate_lines.push(row.line),
            Err(RateConflict::Repeated { earlier }) => {
                let line = self.rate_lines.get(earlier).copied().unwrap_or(0);
                let message = format!("{what} to `{to}` is already in line {line}");
                row.problem("ship_class", message);
            }
            Err(RateConflict::Overlap { places }) => {
                for (place, zone) in places {
                    row.problem(
                        "places",
                        format!("`{place}` already has a rate of {what} in zone `{zone}`"),
                    );
                }
            }
            Err(error @ RateConflict::UnknownZone(_)) => row.problem("zone", error.to_string()),
        }
    }
}

fn places(row: &mut Row) -> Vec<Region> {
    let texts = row.list("places");
    if texts.is_empty() {
        if row.blank(&["places"]) {
            let message = "required: such as US|CA-ON, or * for everywhere else";
            row.problem("places", message);
        }
        return Vec::new();
    }
    // In a zone, an empty list of places stands for everywhere else.
    if texts.iter().any(|text| text == Zone::ELSEWHERE) {
        if texts.len() > 1 {
            let message = "`*` means everywhere else, and must be the only place";
            row.problem("places", message);
        }
        return Vec::new();
    }
    let mut places = Vec::new();
    for text in texts {
        match text.parse::<Region>() {
            Ok(place) => places.push(place),
            Err(error) => row.problem("places", error.to_string()),
        }
    }
    places
}

fn rate(row: &mut Row, zone: &str) -> Option<ShippingRate> {
    let currency = row.currency("currency", Currency::USD);
    let read = ShippingRate::new(ShippingRateParts {
        zone: zone.to_owned(),
        ship_class: row.required("ship_class", "such as Standard"),
        currency,
        first: row.required_amount("first_unit", currency),
        further: row.required_amount("further_unit", currency),
        steps: steps(row, currency),
        free_from: row.amount("free_from", currency),
    });
    row.made(read, |broken| match broken {
        RateError::ShipClass => "ship_class",
        RateError::Step(_) => "weight_steps",
    })
}

fn steps(row: &mut Row, currency: Currency) -> Vec<WeightStep> {
    let mut steps: Vec<WeightStep> = Vec::new();
    for (grams, extra) in row.pairs("weight_steps", STEP) {
        let Ok(above_grams) = grams.parse() else {
            let message = format!("`{grams}` is not a whole number of grams; write {STEP}");
            row.problem("weight_steps", message);
            continue;
        };
        let extra = match Amount::parse_price(&extra, currency) {
            Ok(extra) => extra,
            Err(error) => {
                row.problem("weight_steps", format!("above {grams} g: {error}"));
                continue;
            }
        };
        steps.push(WeightStep { above_grams, extra });
    }
    steps
}

/// Returns all zones and rates in `rates` as rows for an export.
pub fn shipping_sheet(rates: &ShippingRates) -> Sheet {
    let mut by_zone: HashMap<&str, Vec<&ShippingRate>> = HashMap::new();
    for rate in rates.rates() {
        by_zone.entry(&rate.zone).or_default().push(rate);
    }
    let mut rows = Vec::new();
    for zone in rates.zones() {
        let start = [Value::text(&zone.name), Value::list(&zone.region_texts())];
        let row = |rate: [Value; 6]| -> SheetRow {
            let cells: Vec<Value> = start.iter().cloned().chain(rate).collect();
            cells.into()
        };
        let of_zone = by_zone.remove(zone.name.as_str()).unwrap_or_default();
        // A zone without rates needs a row too, because fee schedules can name it.
        if of_zone.is_empty() {
            rows.push(row(OF_RATE.map(|_| Value::Absent)));
        }
        rows.extend(of_zone.into_iter().map(|rate| row(rate_cells(rate))));
    }
    Sheet {
        content: Content::Shipping,
        rows,
    }
}

fn rate_cells(rate: &ShippingRate) -> [Value; 6] {
    let text = |amount: Amount| amount.to_fixed(rate.currency);
    let steps = rate
        .steps
        .iter()
        .map(|step| (step.above_grams.to_string(), text(step.extra)));
    [
        Value::text(&rate.ship_class),
        Value::text(rate.currency.code()),
        Value::text(text(rate.first)),
        Value::text(text(rate.further)),
        Value::pairs(steps.collect()),
        Value::text(rate.free_from.map(text).unwrap_or_default()),
    ]
}
