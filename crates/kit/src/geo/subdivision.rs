//! Finds states, provinces and territories by their ISO 3166-2 codes and names.
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Country;
use super::data::MILITARY_STATES;
use super::names::key;

/// Longer input is not looked up. Codes of ISO 3166-2 have up to six characters.
const MAX_CODE_BYTES: usize = 16;

const MAX_NAME_BYTES: usize = 100;

/// Full codes by country and [`key`] of the name; `None` if several subdivisions have the name.
static NAMES: LazyLock<HashMap<(&str, String), Option<&str>>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    let mut add = |country, name, code| {
        names
            .entry((country, key(name)))
            .and_modify(|known| *known = None)
            .or_insert(Some(code));
    };
    for country in rust_iso3166::ALL {
        for iso in country.subdivisions().unwrap_or_default() {
            add(country.alpha2, iso.name, iso.code);
        }
    }
    for (code, name) in MILITARY_STATES {
        add("US", name, code);
    }
    names
});

/// Result of looking up the code of a subdivision with [`Country::subdivision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubdivisionLookup {
    /// The country has a subdivision with the code.
    Known {
        /// Full code: `US-CA`.
        code: &'static str,
        /// Name in a language of the country: `California`.
        name: &'static str,
    },
    /// ISO 3166-2 has no such subdivision of the country. Some stores use codes of their own.
    Unknown,
    /// The code begins with the code of the contained other country, as `CA-ON` does.
    OtherCountry(Country),
}

impl Country {
    /// Looks up this country's subdivision with `code`, such as `US-CA`, `CA` or `ca`.
    pub fn subdivision(self, code: &str) -> SubdivisionLookup {
        let code = code.trim();
        if code.is_empty() || code.len() > MAX_CODE_BYTES {
            return SubdivisionLookup::Unknown;
        }
        let code = code.to_ascii_uppercase();
        let Some((prefix, local)) = code.split_once('-') else {
            return known(self, &code);
        };
        match Country::from_code(prefix) {
            None => SubdivisionLookup::Unknown,
            Some(named) if named == self => known(self, local),
            Some(named) => match known(named, local) {
                // ISO lists some territories twice: `PR` as a country, and also as `US-PR`.
                same @ SubdivisionLookup::Known { .. } if local == self.code() => same,
                _ => SubdivisionLookup::OtherCountry(named),
            },
        }
    }

    /// Returns the full code (`US-CA`) of this country's subdivision `name`, in a language of the
    /// country. Ignores case and accents. `None` if no subdivision or several have the name.
    pub fn subdivision_named(self, name: &str) -> Option<&'static str> {
        if name.len() > MAX_NAME_BYTES {
            return None;
        }
        NAMES.get(&(self.code(), key(name))).copied().flatten()
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
