//! Zones of shipping rates, and destinations of orders.

use std::fmt;
use std::str::FromStr;

use crate::check::checked::{Checked, Rules, rules_broken};
use pressline_kit::geo::{Country, SubdivisionLookup};

/// A set of places with the same shipping rates.
pub type Zone = Checked<ZoneParts>;

/// Public fields of a [`Zone`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ZoneParts {
    /// Name of the zone; not empty, unique among zones, compared letter by letter.
    pub name: String,
    /// Countries and provinces, each once. Empty for all other places: the rates apply unless
    /// another zone of the destination has a rate with the same ship class and currency.
    pub places: Vec<Region>,
}

/// An existing country or province, parsed from a string such as `US` or `US-CA`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    country: Country,
    province: Option<String>,
}

/// Reason that a string is not the code of a country or province.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegionError {
    /// The string does not start with a country code.
    #[error(
        "`{0}` is neither a country of ISO 3166-1 nor a province of 3166-2, such as US or US-CA"
    )]
    Country(String),
    /// The country does not have the province.
    #[error("`{text}` is not a province of {country} in ISO 3166-2")]
    Province {
        /// The whole string, such as `US-XX`.
        text: String,
        /// Country at the start of `text`.
        country: Country,
    },
}

/// Rule that a [`ZoneParts`] value breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZoneError {
    /// `name` is empty.
    #[error("the name of a zone must not be empty")]
    Name,
    /// `places` lists this place twice.
    #[error("`{0}` is listed twice")]
    Repeated(Region),
}

impl Rules for ZoneParts {
    type Broken = ZoneError;

    fn broken(&self) -> Vec<ZoneError> {
        let mut broken = rules_broken([(self.name.is_empty(), ZoneError::Name)]);
        for (number, place) in self.places.iter().enumerate() {
            if self.places.iter().take(number).any(|other| other == place) {
                broken.push(ZoneError::Repeated(place.clone()));
            }
        }
        broken
    }
}

impl Zone {
    /// String for all places outside the other zones, for [`region_texts`](Self::region_texts).
    pub const ELSEWHERE: &'static str = "*";

    /// Returns the places as strings; only [`ELSEWHERE`](Self::ELSEWHERE) if `places` is empty.
    pub fn region_texts(&self) -> Vec<String> {
        if self.places.is_empty() {
            vec![Self::ELSEWHERE.to_owned()]
        } else {
            self.places.iter().map(Region::to_string).collect()
        }
    }
}

impl Region {
    /// Returns the country; for `US-CA` the country `US`.
    pub fn country(&self) -> Country {
        self.country
    }

    /// Returns the province code without the country: `CA` for `US-CA`; `None` for a country.
    pub fn province(&self) -> Option<&str> {
        self.province.as_deref()
    }
}

impl FromStr for Region {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<Self, RegionError> {
        let code = text.split('-').next().unwrap_or_default();
        let country =
            Country::from_code(code).ok_or_else(|| RegionError::Country(text.to_owned()))?;
        let Some((_, local)) = text.split_once('-') else {
            let province = None;
            return Ok(Self { country, province });
        };
        match country.subdivision(local) {
            SubdivisionLookup::Known { .. } => Ok(Self {
                country,
                province: Some(local.trim().to_ascii_uppercase()),
            }),
            _ => {
                let text = text.to_owned();
                Err(RegionError::Province { text, country })
            }
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.country.code())?;
        match &self.province {
            Some(province) => write!(f, "-{province}"),
            None => Ok(()),
        }
    }
}

/// Country and province to which an order is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// Country, or territory with a country code of its own.
    pub country: Country,
    /// Province code as in [`Region`]; `None` if it is unknown.
    pub province: Option<String>,
}

impl Destination {
    /// Returns 2 for the province, 1 for the country, 0 for all other places; else `None`.
    pub(super) fn closeness(&self, zone: &Zone) -> Option<u8> {
        let close = |place: &Region| {
            let Some(province) = &place.province else {
                return (place.country == self.country).then_some(1);
            };
            // A zone may list a territory as a province, but destinations have it as a country.
            let here = match place.country.territory(province) {
                Some(territory) => territory == self.country,
                None => place.country == self.country && self.province.as_ref() == Some(province),
            };
            here.then_some(2)
        };
        if zone.places.is_empty() {
            Some(0)
        } else {
            zone.places.iter().filter_map(close).max()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        for text in ["US", "US-CA", "NZ"] {
            assert_eq!(text.parse::<Region>().unwrap().to_string(), text);
        }
        assert_eq!("us-ca".parse::<Region>().unwrap().to_string(), "US-CA");
        for wrong in ["", "ZZ", "US-XX", "US-"] {
            assert!(wrong.parse::<Region>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_zone_has_a_name_and_each_place_once() {
        let zone = |name: &str, places: [&str; 3]| {
            Zone::new(ZoneParts {
                name: name.to_owned(),
                places: places.map(|place| place.parse().unwrap()).into(),
            })
        };
        assert!(zone("West", ["US", "US-CA", "CA"]).is_ok());
        let repeated = ZoneError::Repeated("US".parse().unwrap());
        assert_eq!(
            zone("", ["US", "CA", "us"]).unwrap_err().0,
            [ZoneError::Name, repeated]
        );
    }
}
