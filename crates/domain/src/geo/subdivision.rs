//! States, provinces and territories by their ISO 3166-2 codes.
use super::Country;
use super::data::MILITARY_STATES;

/// ISO 3166-2 codes have at most six characters; anything much longer isn't worth copying.
const MAX_CODE_BYTES: usize = 16;

/// What a province code names, seen from one country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubdivisionLookup {
    /// A subdivision of the country.
    Known {
        /// The full code: `US-CA`.
        code: &'static str,
        /// Its name, in a language of the country: `California`.
        name: &'static str,
    },
    /// Nothing that ISO 3166-2 knows. Shops have codes of their own, so this need not be a mistake.
    Unknown,
    /// A full code (`CA-ON`) of a country other than the one asked.
    OtherCountry(Country),
}

pub(super) fn find(country: Country, code: &str) -> SubdivisionLookup {
    let code = code.trim();
    if code.is_empty() || code.len() > MAX_CODE_BYTES {
        return SubdivisionLookup::Unknown;
    }
    let code = code.to_ascii_uppercase();
    let Some((prefix, local)) = code.split_once('-') else {
        return known(country, &code);
    };
    match Country::from_code(prefix) {
        None => SubdivisionLookup::Unknown,
        Some(named) if named == country => known(country, local),
        Some(named) => match known(named, local) {
            // ISO lists some territories twice: `PR` is a country, and `US-PR` a part of another. That is one place.
            same @ SubdivisionLookup::Known { .. } if local == country.code() => same,
            _ => SubdivisionLookup::OtherCountry(named),
        },
    }
}

fn known(country: Country, local: &str) -> SubdivisionLookup {
    let full = format!("{}-{local}", country.code());
    let military = MILITARY_STATES.iter().find(|(code, _)| *code == full);
    let found = military
        .copied()
        .or_else(|| rust_iso3166::iso3166_2::from_code(&full).map(|iso| (iso.code, iso.name)));
    match found {
        Some((code, name)) => SubdivisionLookup::Known { code, name },
        None => SubdivisionLookup::Unknown,
    }
}
