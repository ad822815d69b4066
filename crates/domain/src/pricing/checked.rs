//! What zones, shipping rates and rules of fees must be together, so that a destination has one
//! rate and no fee is charged twice.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use super::tariff::{FeeRule, FeeSchedule, Place, ShippingRate, ShippingRates, Zone};
use crate::money::{Amount, Currency};
use pressline_kit::geo::{Country, SubdivisionLookup};

/// What distinguishes the rates whose zones must not overlap: the class in lower case, and the
/// currency.
type RateKind = (String, Currency);

/// Zones and rates to which only such are added as fit the others.
#[derive(Debug, Default)]
pub struct RateSet {
    zones: Vec<Zone>,
    /// By name: the position in `zones`.
    positions: HashMap<String, usize>,
    rates: Vec<ShippingRate>,
    /// By zone and kind: the position in `rates`.
    of_zone: HashMap<(String, RateKind), usize>,
    /// By kind and place: the zone that has a rate there.
    covered: HashMap<(RateKind, String), String>,
}

/// Another zone of the same name has other places.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("zone `{0}` has other places before")]
pub struct ZoneConflict(pub String);

/// Why a rate cannot be added to others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateConflict {
    /// There is no zone of the rate's name.
    #[error("there is no zone `{0}`")]
    UnknownZone(String),
    /// The zone has a rate of this class and currency.
    #[error("the zone has a rate of this class and currency already")]
    Repeated {
        /// The position of that rate among those that were added, from 0.
        earlier: usize,
    },
    /// Places of the zone have a rate of this class and currency in another zone.
    #[error("places of the zone have a rate of this class and currency in another zone")]
    Overlap {
        /// Each of these places, and that zone.
        places: Vec<(String, String)>,
    },
}

impl RateSet {
    /// Adds a zone; the same zone can be added several times.
    ///
    /// # Errors
    /// [`ZoneConflict`] where a zone of this name has other places.
    pub fn add_zone(&mut self, zone: Zone) -> Result<(), ZoneConflict> {
        let Some(position) = self.positions.get(&zone.name) else {
            self.positions.insert(zone.name.clone(), self.zones.len());
            self.zones.push(zone);
            return Ok(());
        };
        match self.zones.get(*position) {
            Some(known) if *known != zone => Err(ZoneConflict(zone.name)),
            _ => Ok(()),
        }
    }

    /// Adds a rate.
    ///
    /// # Errors
    /// [`RateConflict`]; the rate is not added.
    pub fn add_rate(&mut self, rate: ShippingRate) -> Result<(), RateConflict> {
        let kind = (rate.ship_class.to_ascii_lowercase(), rate.currency);
        let position = self.positions.get(&rate.zone);
        let Some(zone) = position.and_then(|position| self.zones.get(*position)) else {
            return Err(RateConflict::UnknownZone(rate.zone));
        };
        let of_zone = (rate.zone.clone(), kind.clone());
        if let Some(earlier) = self.of_zone.get(&of_zone) {
            return Err(RateConflict::Repeated { earlier: *earlier });
        }
        let places: Vec<(RateKind, String)> = zone
            .place_texts()
            .into_iter()
            .map(|place| (kind.clone(), place))
            .collect();
        let elsewhere = places
            .iter()
            .filter_map(|key| Some((key.1.clone(), self.covered.get(key)?.clone())));
        let overlapping: Vec<(String, String)> = elsewhere.collect();
        if !overlapping.is_empty() {
            return Err(RateConflict::Overlap {
                places: overlapping,
            });
        }
        let covered = places.into_iter().map(|key| (key, rate.zone.clone()));
        self.covered.extend(covered);
        self.of_zone.insert(of_zone, self.rates.len());
        self.rates.push(rate);
        Ok(())
    }

    /// Returns the zones and rates, the rates in the order of their zones.
    #[must_use]
    pub fn into_rates(mut self) -> ShippingRates {
        let positions = &self.positions;
        self.rates
            .sort_by_key(|rate| positions.get(&rate.zone).copied());
        ShippingRates {
            zones: self.zones,
            rates: self.rates,
        }
    }
}

/// Why zones and rates do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RatesError {
    /// Two zones have one name.
    #[error(transparent)]
    Zone(#[from] ZoneConflict),
    /// A rate does not fit the others.
    #[error(transparent)]
    Rate(#[from] RateConflict),
}

impl ShippingRates {
    /// Returns zones and rates that fit together, the rates in the order of their zones.
    ///
    /// # Errors
    /// The first [`ZoneConflict`] or [`RateConflict`].
    pub fn new(zones: Vec<Zone>, rates: Vec<ShippingRate>) -> Result<Self, RatesError> {
        let mut set = RateSet::default();
        for zone in zones {
            set.add_zone(zone)?;
        }
        for rate in rates {
            set.add_rate(rate)?;
        }
        Ok(set.into_rates())
    }
}

/// Rules of fees to which only such are added as differ in more than the amount: two that do not
/// are most likely one that was changed, and would both be charged.
#[derive(Debug, Default)]
pub struct RuleSet {
    rules: Vec<FeeRule>,
    /// By the rule without its amount: its position.
    positions: HashMap<FeeRule, usize>,
}

/// Another rule differs in nothing but the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another rule differs in nothing but the amount")]
pub struct RepeatedRule {
    /// The position of that rule among those that were added, from 0.
    pub earlier: usize,
}

impl RuleSet {
    /// Adds a rule.
    ///
    /// # Errors
    /// [`RepeatedRule`]; the rule is not added.
    pub fn add(&mut self, rule: FeeRule) -> Result<(), RepeatedRule> {
        let without_amount = FeeRule {
            amount: Amount::ZERO,
            ..rule.clone()
        };
        if let Some(earlier) = self.positions.get(&without_amount) {
            return Err(RepeatedRule { earlier: *earlier });
        }
        self.positions.insert(without_amount, self.rules.len());
        self.rules.push(rule);
        Ok(())
    }

    /// Returns the schedule of these rules.
    #[must_use]
    pub fn into_schedule(self) -> FeeSchedule {
        FeeSchedule { rules: self.rules }
    }
}

impl FeeSchedule {
    /// Returns a schedule of rules that differ in more than their amounts.
    ///
    /// # Errors
    /// The first [`RepeatedRule`].
    pub fn new(rules: Vec<FeeRule>) -> Result<Self, RepeatedRule> {
        let mut set = RuleSet::default();
        for rule in rules {
            set.add(rule)?;
        }
        Ok(set.into_schedule())
    }
}

impl Zone {
    /// The text for all that lies in no other zone: the places of a zone that lists none.
    pub const ELSEWHERE: &'static str = "*";

    /// Returns the places as texts; [`Zone::ELSEWHERE`] where there are none.
    #[must_use]
    pub fn place_texts(&self) -> Vec<String> {
        if self.places.is_empty() {
            vec![Self::ELSEWHERE.to_owned()]
        } else {
            self.places.iter().map(Place::to_string).collect()
        }
    }
}

/// Why a text is not a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// It does not begin with the code of a country.
    #[error(
        "`{0}` is neither a country of ISO 3166-1 nor a province of 3166-2, such as US or US-CA"
    )]
    Country(String),
    /// The country has no such province.
    #[error("`{text}` is not a province of {country} in ISO 3166-2")]
    Province {
        /// The text.
        text: String,
        /// The country.
        country: Country,
    },
}

impl FromStr for Place {
    type Err = PlaceError;

    /// Reads a code such as `US` or `US-CA`.
    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let code = text.split('-').next().unwrap_or_default();
        let country =
            Country::from_code(code).ok_or_else(|| PlaceError::Country(text.to_owned()))?;
        let Some((_, local)) = text.split_once('-') else {
            return Ok(Self {
                country,
                province: None,
            });
        };
        match country.subdivision(local) {
            SubdivisionLookup::Known { .. } => Ok(Self {
                country,
                province: Some(local.trim().to_ascii_uppercase()),
            }),
            _ => Err(PlaceError::Province {
                text: text.to_owned(),
                country,
            }),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.country.code())?;
        match &self.province {
            Some(province) => write!(f, "-{province}"),
            None => Ok(()),
        }
    }
}

impl FeeRule {
    /// Matches anything, at the end of a SKU.
    pub const ANYTHING: char = '*';

    /// Returns whether a SKU of a rule is a pattern: [`FeeRule::ANYTHING`] at its end and nowhere
    /// else.
    #[must_use]
    pub fn is_pattern(sku: &str) -> bool {
        sku.find(Self::ANYTHING)
            .is_some_and(|at| at + 1 == sku.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str, places: &[&str]) -> Zone {
        Zone {
            name: name.to_owned(),
            places: places.iter().map(|place| place.parse().unwrap()).collect(),
        }
    }

    fn rate(zone: &str, class: &str) -> ShippingRate {
        ShippingRate {
            zone: zone.to_owned(),
            ship_class: class.to_owned(),
            currency: Currency::USD,
            first: Amount::ZERO,
            further: Amount::ZERO,
            steps: Vec::new(),
            free_from: None,
        }
    }

    #[test]
    fn zones_and_rates_fit_together() {
        let zones = || vec![zone("Far", &["NZ", "US-HI"]), zone("Rest", &[])];
        let rates = vec![
            rate("Rest", "Standard"),
            rate("Far", "Standard"),
            rate("Rest", "Express"),
        ];
        let fitting = ShippingRates::new(zones(), rates).unwrap();
        let order: Vec<&str> = fitting
            .rates
            .iter()
            .map(|rate| rate.zone.as_str())
            .collect();
        assert_eq!(order, ["Far", "Rest", "Rest"]);

        let refused = |further: &[Zone], rates: &[ShippingRate]| {
            let zones = [zones(), further.to_vec()].concat();
            ShippingRates::new(zones, rates.to_vec()).unwrap_err()
        };
        assert_eq!(
            refused(&[zone("Far", &["NZ"])], &[]),
            ZoneConflict("Far".to_owned()).into()
        );
        assert_eq!(
            refused(&[], &[rate("Near", "Standard")]),
            RateConflict::UnknownZone("Near".to_owned()).into()
        );
        assert_eq!(
            refused(&[], &[rate("Far", "Standard"), rate("Far", "standard")]),
            RateConflict::Repeated { earlier: 0 }.into()
        );
        let islands = zone("Islands", &["US-HI", "FJ"]);
        let overlapping = [rate("Far", "Standard"), rate("Islands", "Standard")];
        let places = vec![("US-HI".to_owned(), "Far".to_owned())];
        assert_eq!(
            refused(&[islands], &overlapping),
            RateConflict::Overlap { places }.into()
        );
    }

    #[test]
    fn rules_of_a_schedule_differ_in_more_than_the_amount() {
        let rule =
            |amount| FeeRule::label_handling(Currency::USD, Amount::from_minor(amount).unwrap());
        assert_eq!(FeeSchedule::new(vec![rule(1)]).unwrap().rules.len(), 1);
        let repeated = FeeSchedule::new(vec![rule(1), rule(2)]);
        assert_eq!(repeated, Err(RepeatedRule { earlier: 0 }));
    }

    #[test]
    fn places_are_read_as_they_are_written() {
        for text in ["US", "US-CA", "NZ"] {
            assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
        }
        assert_eq!("us-ca".parse::<Place>().unwrap().to_string(), "US-CA");
        for wrong in ["", "ZZ", "US-XX", "US-"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
