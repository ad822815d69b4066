//! Sets of shipping rates: a destination has one rate per ship class and currency.

use std::collections::HashMap;

use super::rate::ShippingRate;
use super::zone::{Destination, Zone};
use crate::value::Currency;

/// Zones with unique names, and their rates: at most one per region, class and currency.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "saved::SavedRates"))]
pub struct ShippingRates {
    zones: Vec<Zone>,
    rates: Vec<ShippingRate>,
}

impl ShippingRates {
    /// Creates shipping rates. The rates are sorted in the order of their zones.
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

    /// Returns the zones in their original order.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// Returns the rates in the order of their zones.
    pub fn rates(&self) -> &[ShippingRate] {
        &self.rates
    }

    /// Returns the ship classes of all rates, spelled as in the rates, with repetitions.
    pub fn classes(&self) -> impl Iterator<Item = &str> + Clone {
        self.rates.iter().map(|rate| rate.ship_class.as_str())
    }

    /// Returns the rate to the destination `to`; `None` if no rate applies. A zone with the
    /// province precedes a zone with the country, and both precede the zone for all other places.
    /// Without `to`, only the zone for all other places applies.
    pub fn rate(
        &self,
        class: &str,
        currency: Currency,
        to: Option<&Destination>,
    ) -> Option<&ShippingRate> {
        let of_class = self.rates.iter().filter(|rate| {
            rate.currency == currency && rate.ship_class.eq_ignore_ascii_case(class)
        });
        let close = of_class.filter_map(|rate| {
            let zone = self.zones.iter().find(|zone| zone.name == rate.zone)?;
            let closeness = match to {
                Some(to) => to.closeness(zone)?,
                None => zone.places.is_empty().then_some(0)?,
            };
            Some((closeness, rate))
        });
        // No two zones are equally close, because a place has one rate per class and currency.
        let closest = close.max_by_key(|(closeness, _)| *closeness);
        closest.map(|(_, rate)| rate)
    }

    /// A zone without places contains all destinations outside the other zones.
    pub(crate) fn lies_in(&self, to: &Destination, name: &str) -> bool {
        let lies = |zone: &Zone| to.closeness(zone).is_some();
        let named_zone = self.zones.iter().find(|zone| zone.name == name);
        let mut others = self.zones.iter().filter(|other| !other.places.is_empty());
        named_zone.is_some_and(|zone| lies(zone) && (!zone.places.is_empty() || !others.any(lies)))
    }
}

/// Ship class in lower case, and currency. Zones of two rates of a kind have no common places.
type RateKind = (String, Currency);

/// Builder of [`ShippingRates`]. Refuses contradictions to the zones and rates added before.
#[derive(Debug, Default)]
pub struct RateSet {
    zones: Vec<Zone>,
    /// Index in `zones`, keyed by the name of the zone.
    positions: HashMap<String, usize>,
    rates: Vec<ShippingRate>,
    /// Index in `rates`, keyed by the name of the zone and the kind of the rate.
    of_zone: HashMap<(String, RateKind), usize>,
    /// Name of the zone that has a rate for a region, keyed by the kind of the rate and the region.
    covered: HashMap<(RateKind, String), String>,
}

/// Error for a zone with the name of an earlier zone, but other places. Contains the name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("zone `{0}` has other places before")]
pub struct ZoneConflict(pub String);

/// Contradiction of a rate to the zones and rates added before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateConflict {
    /// No zone has the name that the rate refers to. Contains the name.
    #[error("there is no zone `{0}`")]
    UnknownZone(String),
    /// The zone already has a rate for this ship class and currency.
    #[error("the zone has a rate of this class and currency already")]
    Repeated {
        /// Index of the earlier rate among all added rates, from 0.
        earlier: usize,
    },
    /// Another zone has some of the places, and a rate of the same ship class and currency.
    #[error("places of the zone have a rate of this class and currency in another zone")]
    Overlap {
        /// Places that are in both zones, each with the name of the other zone.
        places: Vec<(String, String)>,
    },
}

impl RateSet {
    /// Adds a zone. An equal zone can be added several times.
    ///
    /// # Errors
    /// [`ZoneConflict`] if another zone with this name has other places.
    pub fn add_zone(&mut self, zone: Zone) -> Result<(), ZoneConflict> {
        let Some(position) = self.positions.get(&zone.name) else {
            self.positions.insert(zone.name.clone(), self.zones.len());
            self.zones.push(zone);
            return Ok(());
        };
        match self.zones.get(*position) {
            Some(known) if *known != zone => Err(ZoneConflict(zone.name.clone())),
            _ => Ok(()),
        }
    }

    /// Adds `rate`. Its zone must have been added before.
    ///
    /// # Errors
    /// [`RateConflict`] if the rate contradicts the zones or rates added before; it is not added.
    pub fn add_rate(&mut self, rate: ShippingRate) -> Result<(), RateConflict> {
        let kind = (rate.ship_class.to_ascii_lowercase(), rate.currency);
        let position = self.positions.get(&rate.zone);
        let Some(zone) = position.and_then(|position| self.zones.get(*position)) else {
            return Err(RateConflict::UnknownZone(rate.zone.clone()));
        };
        let of_zone = (rate.zone.clone(), kind.clone());
        if let Some(earlier) = self.of_zone.get(&of_zone) {
            return Err(RateConflict::Repeated { earlier: *earlier });
        }
        // A zone without places has the key `*`, so only one of them has a rate of this kind.
        let keys: Vec<(RateKind, String)> = zone
            .region_texts()
            .into_iter()
            .map(|place| (kind.clone(), place))
            .collect();
        let zone_of = |key| Some(self.covered.get(key)?.clone());
        let elsewhere = keys
            .iter()
            .filter_map(|key| Some((key.1.clone(), zone_of(key)?)));
        let places: Vec<(String, String)> = elsewhere.collect();
        if !places.is_empty() {
            return Err(RateConflict::Overlap { places });
        }
        let covered = keys.into_iter().map(|key| (key, rate.zone.clone()));
        self.covered.extend(covered);
        self.of_zone.insert(of_zone, self.rates.len());
        self.rates.push(rate);
        Ok(())
    }

    /// Returns the zones and rates. The rates are sorted in the order of their zones.
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

/// Reason why zones and rates do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RatesError {
    /// Two zones with the same name have different places.
    #[error(transparent)]
    Zone(#[from] ZoneConflict),
    /// A rate contradicts the zones or another rate.
    #[error(transparent)]
    Rate(#[from] RateConflict),
}

#[cfg(feature = "serde")]
mod saved {
    use super::{RatesError, ShippingRate, ShippingRates};
    use crate::pricing::zone::Zone;

    #[derive(serde::Deserialize)]
    pub(super) struct SavedRates {
        zones: Vec<Zone>,
        rates: Vec<ShippingRate>,
    }

    impl TryFrom<SavedRates> for ShippingRates {
        type Error = RatesError;

        fn try_from(saved: SavedRates) -> Result<Self, RatesError> {
            Self::new(saved.zones, saved.rates)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rate::ShippingRateParts;
    use super::super::zone::ZoneParts;
    use super::*;
    use crate::value::Amount;
    use pressline_kit::geo::Country;

    fn zone(name: &str, places: &[&str]) -> Zone {
        Zone::new(ZoneParts {
            name: name.to_owned(),
            places: places.iter().map(|place| place.parse().unwrap()).collect(),
        })
        .unwrap()
    }

    fn rate(zone: &str, class: &str) -> ShippingRate {
        let (usd, zero) = (Currency::USD, Amount::ZERO);
        ShippingRate::new(ShippingRateParts::new(zone, class, usd, zero, zero)).unwrap()
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
            .rates()
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
    fn the_rest_is_what_lies_in_no_other_zone() {
        let zones = vec![
            zone("Rest", &[]),
            zone("America", &["US", "CA"]),
            zone("Remote", &["US-HI", "NZ"]),
        ];
        let rates = ShippingRates::new(zones, Vec::new()).unwrap();
        let to = |country, province: Option<&str>| Destination {
            country: Country::from_code(country).unwrap(),
            province: province.map(str::to_owned),
        };
        for (destination, zones) in [
            (to("US", Some("CA")), &["America"][..]),
            (to("US", Some("HI")), &["America", "Remote"]),
            (to("NZ", Some("HI")), &["Remote"]),
            (to("VN", None), &["Rest"]),
        ] {
            let lies = |zone: &&str| rates.lies_in(&destination, zone);
            let found: Vec<&str> = ["Rest", "America", "Remote", "Nowhere"]
                .into_iter()
                .filter(lies)
                .collect();
            assert_eq!(found, zones, "{destination:?}");
        }
    }
}
