//! Shipping files: a row for each rate, which also says what its zone is.

use std::collections::HashMap;

use pressline_domain::money::{Amount, Currency};
use pressline_domain::pricing::tariff::{Place, ShippingRate, ShippingRates, WeightStep, Zone};
use pressline_kit::geo::{Country, SubdivisionLookup};

use super::row::{self, Row, decimal};
use super::table::Value;
use super::{FileError, Shape, Sheet, Table, earlier};

/// What a shipping file holds.
pub(crate) const SHAPE: Shape = Shape {
    columns: &[
        ("zone", "zone"),
        ("places", "places"),
        ("ship_class", "shipClass"),
        ("currency", "currency"),
        ("first_unit", "firstUnit"),
        ("further_unit", "furtherUnit"),
        ("weight_steps", "weightSteps"),
        ("free_from", "freeFrom"),
    ],
    required: &["zone", "places", "ship_class", "first_unit", "further_unit"],
    pairs_by: ':',
    nested: None,
};

/// The columns of a rate. A row without them makes a zone for the fee schedule to name.
const OF_RATE: [&str; 6] = [
    "ship_class",
    "currency",
    "first_unit",
    "further_unit",
    "weight_steps",
    "free_from",
];
/// All that lies in no other zone.
const ELSEWHERE: &str = "*";
/// How a weight step is written.
const STEP: &str = "GRAMS:AMOUNT, such as 1000:2.50|5000:9";

/// What tells rates apart whose zones must not overlap.
type RateKey = (String, Currency);

/// What was read so far, and where.
#[derive(Default)]
struct Reading {
    zones: Vec<Zone>,
    /// By name: the place in `zones`, and the line of the first row.
    places: HashMap<String, (usize, u64)>,
    rates: Vec<ShippingRate>,
    /// By zone and key: the line of the rate.
    lines: HashMap<(String, RateKey), u64>,
    /// By key and place: the zone that covers the place.
    covered: HashMap<(RateKey, String), String>,
}

/// The zones and rates of a file, the rates in the order of their zones.
pub(crate) fn read(mut table: Table) -> Result<ShippingRates, FileError> {
    let mut reading = Reading::default();
    for mut entry in table.take() {
        let row = &mut entry.row;
        let zone = reading.zone(row);
        if !row.blank(&OF_RATE) {
            reading.rate(row, &zone);
        }
        table.note(entry.row);
    }
    let Reading {
        zones,
        places,
        mut rates,
        ..
    } = reading;
    rates.sort_by_cached_key(|rate| places.get(&rate.zone).map(|(place, _)| *place));
    table.done(ShippingRates { zones, rates })
}

impl Reading {
    /// The zone of a row, which joins the others where its name is new.
    fn zone(&mut self, row: &mut Row) -> Zone {
        let name = row.required("zone", "a name such as Domestic");
        let found = Zone {
            name,
            places: places(row),
        };
        let new = (self.zones.len(), row.line);
        let (place, line) = *self.places.entry(found.name.clone()).or_insert(new);
        match self.zones.get(place) {
            Some(known) if *known != found && !row.is_wrong() => {
                row.problem(
                    "places",
                    format!("zone `{}` has other places in line {line}", found.name),
                );
            }
            Some(_) => {}
            None => self.zones.push(found.clone()),
        }
        found
    }

    /// The rate of a row, which must be the only one of its zone, class and currency, and overlap
    /// with no other zone's.
    fn rate(&mut self, row: &mut Row, zone: &Zone) {
        let rate = rate(row, &zone.name);
        let key = (rate.ship_class.to_ascii_lowercase(), rate.currency);
        let what = format!("`{}` in {}", rate.ship_class, rate.currency);
        let earlier = earlier(&mut self.lines, (zone.name.clone(), key.clone()), row.line);
        if let Some(line) = earlier {
            row.problem(
                "ship_class",
                format!("{what} to `{}` stands in line {line} already", rate.zone),
            );
        }
        // A row whose places are wrong would seem to be for everywhere.
        let places = if row.is_wrong() {
            Vec::new()
        } else {
            place_texts(zone)
        };
        for place in places {
            let covered = self.covered.entry((key.clone(), place.clone()));
            let other = covered.or_insert_with(|| zone.name.clone());
            if *other != zone.name {
                row.problem(
                    "places",
                    format!("`{place}` has a rate of {what} in zone `{other}` already"),
                );
            }
        }
        self.rates.push(rate);
    }
}

fn places(row: &mut Row) -> Vec<Place> {
    let texts = row.list("places");
    if texts.is_empty() {
        if row.blank(&["places"]) {
            row.problem(
                "places",
                "required: such as US|CA-ON, or * for everywhere else",
            );
        }
        return Vec::new();
    }
    if texts.iter().any(|text| text == ELSEWHERE) {
        if texts.len() > 1 {
            row.problem("places", "`*` is everywhere else, and stands alone");
        }
        return Vec::new();
    }
    let mut places = Vec::new();
    for text in texts {
        match place(&text) {
            Ok(place) if places.contains(&place) => {
                row.problem("places", format!("`{text}` stands twice"));
            }
            Ok(place) => places.push(place),
            Err(problem) => row.problem("places", problem),
        }
    }
    places
}

/// The place of a code such as `US` or `US-CA`.
fn place(text: &str) -> Result<Place, String> {
    let code = text.split('-').next().unwrap_or_default();
    let country = Country::from_code(code);
    let country = country.ok_or_else(|| {
        format!("`{text}` is neither a country of ISO 3166-1 nor a province of 3166-2, such as US or US-CA")
    })?;
    let Some((_, local)) = text.split_once('-') else {
        return Ok(Place {
            country,
            province: None,
        });
    };
    match country.subdivision(local) {
        SubdivisionLookup::Known { .. } => Ok(Place {
            country,
            province: Some(local.trim().to_ascii_uppercase()),
        }),
        _ => Err(format!(
            "`{text}` is no province of {country} in ISO 3166-2"
        )),
    }
}

fn rate(row: &mut Row, zone: &str) -> ShippingRate {
    let currency = row.currency("currency", Currency::USD);
    ShippingRate {
        zone: zone.to_owned(),
        ship_class: row.required("ship_class", "such as Standard"),
        currency,
        first: row.required_amount("first_unit", currency),
        further: row.required_amount("further_unit", currency),
        steps: steps(row, currency),
        free_from: row.amount("free_from", currency),
    }
}

fn steps(row: &mut Row, currency: Currency) -> Vec<WeightStep> {
    let mut steps: Vec<WeightStep> = Vec::new();
    for (grams, extra) in row.pairs("weight_steps", STEP) {
        let Ok(above_grams) = grams.parse() else {
            row.problem(
                "weight_steps",
                format!("`{grams}` is not a whole number of grams; write {STEP}"),
            );
            continue;
        };
        let extra = match row::amount(&extra, currency) {
            Ok(extra) => extra,
            Err(problem) => {
                row.problem("weight_steps", format!("above {grams} g: {problem}"));
                continue;
            }
        };
        if steps
            .last()
            .is_some_and(|last| last.above_grams >= above_grams)
        {
            row.problem(
                "weight_steps",
                format!("`{grams}` is not above the step before; write the lightest first"),
            );
        }
        steps.push(WeightStep { above_grams, extra });
    }
    steps
}

/// The places of a zone as files have them.
fn place_texts(zone: &Zone) -> Vec<String> {
    let text = |place: &Place| {
        let code = place.country.code();
        place
            .province
            .as_ref()
            .map_or_else(|| code.to_owned(), |province| format!("{code}-{province}"))
    };
    if zone.places.is_empty() {
        vec![ELSEWHERE.to_owned()]
    } else {
        zone.places.iter().map(text).collect()
    }
}

/// The file that says the same as these rates.
pub(crate) fn sheet(rates: &ShippingRates) -> Sheet {
    let mut by_zone: HashMap<&str, Vec<&ShippingRate>> = HashMap::new();
    for rate in &rates.rates {
        by_zone.entry(&rate.zone).or_default().push(rate);
    }
    let mut rows = Vec::new();
    for zone in &rates.zones {
        let places = place_texts(zone);
        let start = || vec![Value::text(&zone.name), Value::list(&places)];
        let mut of_zone: Vec<Vec<Value>> = Vec::new();
        for rate in by_zone.remove(zone.name.as_str()).unwrap_or_default() {
            of_zone.push(start().into_iter().chain(rate_cells(rate)).collect());
        }
        if of_zone.is_empty() {
            of_zone.push(
                start()
                    .into_iter()
                    .chain(OF_RATE.map(|_| Value::Absent))
                    .collect(),
            );
        }
        rows.extend(of_zone.into_iter().map(|cells| (cells, Vec::new())));
    }
    Sheet {
        shape: &SHAPE,
        rows,
    }
}

fn rate_cells(rate: &ShippingRate) -> [Value; 6] {
    let text = |amount: Amount| decimal(amount, rate.currency);
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
