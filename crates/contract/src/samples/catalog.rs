//! Variants, prices, rates and fees to keep.

use pressline_domain::catalog::{ListPrice, PrintArea, ProductRef, Variant};
use pressline_domain::id::StoreId;
use pressline_domain::money::{Amount, MAX_MINOR_UNITS};
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, Per, Place, ShippingRate, ShippingRates, WeightStep, Zone,
};
use pressline_domain::time::Timestamp;
use pressline_kit::geo::Country;

use super::NOW;
use crate::random::Random;

/// The fees that a rule can charge.
const RULED: [FeeType; 4] = [
    FeeType::Surcharge,
    FeeType::Handling,
    FeeType::Other,
    FeeType::OtherShipping,
];

impl Random {
    fn area(&mut self, number: u64) -> PrintArea {
        PrintArea {
            id: format!("{} {number}", self.text()),
            name: self.text(),
            size: self.maybe(Self::text).unwrap_or_default(),
            note: self.maybe(Self::text).unwrap_or_default(),
            width: self.maybe(|random| u32::try_from(random.below(20_000)).unwrap_or(0)),
            height: self.maybe(|random| if random.one_in(5) { u32::MAX } else { 0 }),
            requirement: if self.one_in(3) {
                self.text()
            } else {
                PrintArea::BASE_BELONGS.to_owned()
            },
            require_for: (0..self.below(3)).map(|_| self.text()).collect(),
            extra_fee: self.amount(),
        }
    }

    pub(crate) fn areas(&mut self) -> Vec<PrintArea> {
        (0..=self.below(3))
            .map(|number| self.area(number))
            .collect()
    }

    /// A variant of some product of its own.
    pub(crate) fn variant(&mut self, sku: &str) -> Variant {
        Variant {
            sku: sku.to_owned(),
            product: ProductRef {
                id: format!("{sku} of {}", self.text()),
                name: Some(self.text()),
            },
            name: self.text(),
            options: (0..self.below(4))
                .map(|_| (self.text(), self.text()))
                .collect(),
            price: self.maybe(Self::amount),
            currency: self.currency(),
            ship_classes: (0..self.below(3)).map(|_| self.text()).collect(),
            weight_grams: if self.one_in(5) { u32::MAX } else { 0 },
            areas: self.areas(),
            retired: self.one_in(4),
        }
    }

    /// A price of a list, about [`NOW`].
    pub(crate) fn list_price(&mut self, store: Option<StoreId>, sku: &str) -> ListPrice {
        let offset = i64::try_from(self.below(2_000_000)).unwrap_or(0) - 1_000_000;
        ListPrice {
            store,
            sku: sku.to_owned(),
            currency: self.currency(),
            valid_from: Timestamp::from_millis(NOW + offset),
            amount: self.amount(),
        }
    }

    /// Zones with rates.
    pub(crate) fn shipping(&mut self) -> ShippingRates {
        let zones: Vec<Zone> = (0..=self.below(3))
            .map(|number| self.zone(number))
            .collect();
        let rates = zones
            .iter()
            .flat_map(|zone| self.rates(&zone.name))
            .collect();
        ShippingRates { zones, rates }
    }

    fn zone(&mut self, number: u64) -> Zone {
        let countries: Vec<Country> = Country::all().collect();
        let places = (0..self.below(4)).filter_map(|_| {
            let country = *self.pick(&countries)?;
            Some(Place {
                country,
                province: self
                    .maybe(|random| random.pick(&["CA", "QC", "57"]).copied())
                    .flatten()
                    .map(str::to_owned),
            })
        });
        let places = places.collect();
        Zone {
            name: format!("{number} {}", self.text()),
            places,
        }
    }

    fn rates(&mut self, zone: &str) -> Vec<ShippingRate> {
        let rate = |random: &mut Self, class: String| ShippingRate {
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
        };
        (0..self.below(4))
            .map(|number| {
                let class = format!("{} {number}", self.text());
                rate(self, class)
            })
            .collect()
    }

    /// Some rules of all kinds.
    pub(crate) fn fee_schedule(&mut self) -> FeeSchedule {
        FeeSchedule {
            rules: (0..=self.below(5)).map(|_| self.fee_rule()).collect(),
        }
    }

    fn fee_rule(&mut self) -> FeeRule {
        FeeRule {
            name: self.text(),
            fee: self.pick(&RULED).copied().unwrap_or(FeeType::Other),
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
                .map(|_| format!("{}*", self.text()))
                .collect(),
            zones: (0..self.below(3)).map(|_| self.text()).collect(),
        }
    }
}
