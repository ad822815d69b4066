//! Random variants, prices, rates and fees.

use pressline_domain::catalog::{
    AlphaRule, ListPrice, ListPriceParts, PrintArea, PrintAreaParts, ProductRef, Variant,
    VariantParts,
};
use pressline_domain::check::checked::{Checked, Rules};
use pressline_domain::check::limits;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeRuleParts, FeeSchedule, Per, RateSet, Region, RuleSet, ShippingRate,
    ShippingRateParts, ShippingRates, WeightStep, Zone, ZoneParts,
};
use pressline_domain::value::{Amount, MAX_MINOR_UNITS, StoreId, Tenths, Timestamp};
use pressline_kit::geo::Country;

use super::NOW;
use crate::random::Random;

/// Returns the checked value of `parts`, which must be valid.
#[expect(
    clippy::expect_used,
    reason = "a sample that is not valid is a defect of the suite"
)]
pub(crate) fn valid<P: Rules>(parts: P) -> Checked<P> {
    Checked::new(parts).expect("a sample is valid")
}

/// Changes parts of a sample, which must stay valid.
pub(crate) fn edit<P: Rules + Clone>(sample: &mut Checked<P>, change: impl FnOnce(&mut P)) {
    let mut parts = P::clone(sample);
    change(&mut parts);
    *sample = valid(parts);
}

impl Random {
    fn area(&mut self, number: u64) -> PrintArea {
        valid(PrintAreaParts {
            id: format!("{} {number}", self.text()),
            name: self.text(),
            size: self.maybe(Self::text).unwrap_or_default(),
            note: self.maybe(Self::text).unwrap_or_default(),
            width: self.maybe(|random| 1 + u32::try_from(random.below(20_000)).unwrap_or(0)),
            height: self.maybe(|random| if random.one_in(5) { limits::PIXELS } else { 1 }),
            requirement: if self.one_in(3) {
                self.text()
            } else {
                PrintAreaParts::BASE_BELONGS.to_owned()
            },
            require_for: (0..self.below(3)).map(|_| self.text()).collect(),
            extra_fee: self.amount(),
            ..self.file_rules()
        })
    }

    /// Returns an area with random rules for its files, at their bounds and between them.
    fn file_rules(&mut self) -> PrintAreaParts {
        let formats = PrintAreaParts::POSSIBLE_FORMATS;
        let colours = PrintAreaParts::POSSIBLE_COLOURS;
        let dpi = self.maybe(|random| random.between(limits::LOWEST_DPI, limits::HIGHEST_DPI));
        let asked = dpi.unwrap_or(PrintAreaParts::USUAL_DPI);
        PrintAreaParts {
            formats: formats.into_iter().filter(|_| self.one_in(3)).collect(),
            max_mb: self.maybe(|random| random.between(1, limits::PRINT_FILE_MB)),
            width_mm: self.maybe(|random| Tenths::new(random.between(10, limits::AREA_MM * 10))),
            height_mm: self.maybe(|random| Tenths::new(random.between(10, limits::AREA_MM * 10))),
            dpi,
            min_dpi: self.maybe(|random| random.between(1, asked)),
            aspect_tolerance: self
                .maybe(|random| Tenths::new(random.between(0, limits::ASPECT_TOLERANCE * 10))),
            alpha: self.pick(&AlphaRule::ALL).copied().unwrap_or_default(),
            colours: colours.into_iter().filter(|_| self.one_in(3)).collect(),
            bleed_mm: self.maybe(|random| Tenths::new(random.between(0, limits::BLEED_MM * 10))),
            ..PrintAreaParts::named("", "")
        }
    }

    /// Returns `low`, `high` or, less often, a number between them.
    fn between(&mut self, low: u32, high: u32) -> u32 {
        match self.below(4) {
            0 => low,
            1 => high,
            _ => low + u32::try_from(self.below(u64::from(high - low))).unwrap_or(0),
        }
    }

    pub(crate) fn areas(&mut self) -> Vec<PrintArea> {
        (0..=self.below(3))
            .map(|number| self.area(number))
            .collect()
    }

    /// Returns a variant `sku` that belongs to a product of its own.
    pub(crate) fn variant(&mut self, sku: &str) -> Variant {
        valid(VariantParts {
            sku: sku.to_owned(),
            product: ProductRef {
                id: format!("{sku} of {}", self.text()),
                name: Some(self.text()),
            },
            name: self.text(),
            options: (0..self.below(4))
                .map(|number| (format!("{number} {}", self.text()), self.text()))
                .collect(),
            price: self.maybe(Self::amount),
            currency: self.currency(),
            ship_classes: (0..self.below(3)).map(|_| self.text()).collect(),
            weight_grams: if self.one_in(5) {
                limits::WEIGHT_GRAMS
            } else {
                0
            },
            areas: self.areas(),
            retired: self.one_in(4),
        })
    }

    /// Returns a price in the list of `store`, valid from a time near [`NOW`].
    pub(crate) fn list_price(&mut self, store: Option<StoreId>, sku: &str) -> ListPrice {
        let offset = i64::try_from(self.below(2_000_000)).unwrap_or(0) - 1_000_000;
        valid(ListPriceParts {
            store,
            sku: sku.to_owned(),
            currency: self.currency(),
            valid_from: Timestamp::from_millis(NOW + offset),
            amount: self.amount(),
        })
    }

    /// Returns random zones with rates.
    pub(crate) fn shipping(&mut self) -> ShippingRates {
        let mut set = RateSet::default();
        for number in 0..=self.below(3) {
            let zone = self.zone(number);
            let rates = self.rates(&zone.name);
            // Zones and rates that conflict with earlier ones are skipped.
            if set.add_zone(zone).is_ok() {
                rates.into_iter().for_each(|rate| drop(set.add_rate(rate)));
            }
        }
        set.into_rates()
    }

    fn zone(&mut self, number: u64) -> Zone {
        let countries: Vec<Country> = Country::all().collect();
        let mut places: Vec<Region> = Vec::new();
        for _ in 0..self.below(4) {
            let country = self.pick(&countries).map_or("US", |country| country.code());
            let text = match self.pick(&["CA", "QC", "57", ""]).copied() {
                Some(province) if !province.is_empty() => format!("{country}-{province}"),
                _ => country.to_owned(),
            };
            // Most countries have none of the sample provinces.
            let place = text.parse().or_else(|_| country.parse()).ok();
            let new = place.filter(|place| !places.contains(place));
            places.extend(new);
        }
        valid(ZoneParts {
            name: format!("{number} {}", self.text()),
            places,
        })
    }

    fn rates(&mut self, zone: &str) -> Vec<ShippingRate> {
        let rate = |random: &mut Self, class: String| {
            valid(ShippingRateParts {
                zone: zone.to_owned(),
                ship_class: class,
                currency: random.currency(),
                first: random.amount(),
                further: random.amount(),
                steps: (1..=random.below(4))
                    .map(|step| WeightStep {
                        above_grams: step * 1_000_000_000_000,
                        extra: random.amount(),
                    })
                    .collect(),
                free_from: random.maybe(Self::amount),
            })
        };
        (0..self.below(4))
            .map(|number| {
                let class = format!("{} {number}", self.text());
                rate(self, class)
            })
            .collect()
    }

    pub(crate) fn fee_schedule(&mut self) -> FeeSchedule {
        let mut set = RuleSet::default();
        for _ in 0..=self.below(5) {
            // A rule that differs from an earlier rule only in its amount is refused, and skipped.
            let _ = set.add(self.fee_rule());
        }
        set.into_schedule()
    }

    fn fee_rule(&mut self) -> FeeRule {
        valid(FeeRuleParts {
            name: self.text(),
            fee: self
                .pick(&FeeType::BY_RULE)
                .copied()
                .unwrap_or(FeeType::Other),
            currency: self.currency(),
            amount: match self.one_in(5) {
                true => Amount::from_minor(MAX_MINOR_UNITS).unwrap_or_default(),
                false => self.amount(),
            },
            per: self.pick(&Per::ALL).copied().unwrap_or(Per::Order),
            orders: self.maybe(|random| {
                if random.one_in(2) {
                    OrderKind::Manual
                } else {
                    OrderKind::Label
                }
            }),
            skus: (0..self.below(3))
                .map(|_| format!("{}*", self.text().replace('*', "")))
                .collect(),
            zones: (0..self.below(3)).map(|_| self.text()).collect(),
        })
    }
}
