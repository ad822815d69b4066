//! Finds states, provinces and territories by their ISO 3166-2 codes and names.
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Country;
use super::data::{MILITARY_STATES, PROVINCE_NAMES};
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
    for (country, name, code) in PROVINCE_NAMES {
        add(country, name, code);
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
        let trimmed = code.trim();
        if trimmed.is_empty() || trimmed.len() > MAX_CODE_BYTES {
            return SubdivisionLookup::Unknown;
        }
        let code = trimmed.to_ascii_uppercase();
        let Some((prefix, local)) = code.split_once('-') else {
            return known_with_territories(self, &code);
        };
        match Country::from_code(prefix) {
            None => SubdivisionLookup::Unknown,
            Some(country) if country == self => known(self, local),
            // ISO lists some territories twice: `PR` as a country, and also as `US-PR`.
            Some(country) if country.has_territory(self) => match as_part(self, country, local) {
                part @ SubdivisionLookup::Known { .. } => part,
                _ if local == self.code() => SubdivisionLookup::Unknown,
                _ => SubdivisionLookup::OtherCountry(country),
            },
            Some(country) => SubdivisionLookup::OtherCountry(country),
        }
    }

    /// Looks up this country's subdivision by its code or its name, as people fill in a code:
    /// `US-CA`, `N.S.W.`, `Ontario`, `US-California`. Ignores case, accents and punctuation. Prefer
    /// [`subdivision`](Self::subdivision) for codes that programs write.
    pub fn province(self, text: &str) -> SubdivisionLookup {
        let by_code = self.subdivision(text);
        if matches!(by_code, SubdivisionLookup::Known { .. }) {
            return by_code;
        }
        let prefix = text.split_once('-');
        let own = prefix.filter(|(code, _)| Self::from_code(code) == Some(self));
        let name = own.map_or(text, |(_, name)| name);
        // Before another country's code is reported: `Al-Bahah` is not a code of Albania.
        let by_name = self
            .subdivision_named(name)
            .or_else(|| self.subdivision_named(text));
        let code_parts = by_name.and_then(|code| code.split_once('-'));
        let short: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let local = code_parts.map_or(short.as_str(), |(_, local)| local);
        match self.subdivision(local) {
            known @ SubdivisionLookup::Known { .. } => known,
            _ => by_code,
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

/// Looks up also a territory's own code: `PR` in Puerto Rico is `US-PR`, `RE` in Réunion `FR-974`.
fn known_with_territories(country: Country, local: &str) -> SubdivisionLookup {
    let lookup = known(country, local);
    if lookup != SubdivisionLookup::Unknown || local != country.code() {
        return lookup;
    }
    let sovereign = Country::all().find(|other| other.has_territory(country));
    sovereign.map_or(lookup, |sovereign| as_part(country, sovereign, local))
}

/// Looks up a subdivision of `sovereign` that is the `territory`, by its code or by its name.
fn as_part(territory: Country, sovereign: Country, local: &str) -> SubdivisionLookup {
    let is_same = |lookup: &SubdivisionLookup| match lookup {
        SubdivisionLookup::Known { name, .. } => Country::from_name(name) == Some(territory),
        _ => false,
    };
    let by_code = known(sovereign, local);
    if is_same(&by_code) || local != territory.code() {
        return Some(by_code)
            .filter(is_same)
            .unwrap_or(SubdivisionLookup::Unknown);
    }
    let mut countries = rust_iso3166::ALL.iter();
    let iso = countries.find(|iso| iso.alpha2 == sovereign.code());
    let mut parts = iso
        .and_then(|iso| iso.subdivisions())
        .unwrap_or_default()
        .iter()
        .map(|iso| SubdivisionLookup::Known {
            code: iso.code,
            name: iso.name,
        });
    parts.find(is_same).unwrap_or(by_code)
}

fn known(country: Country, local: &str) -> SubdivisionLookup {
    let full = format!("{}-{local}", country.code());
    let military = MILITARY_STATES.iter().find(|(code, _)| *code == full);
    let subdivision = military
        .copied()
        .or_else(|| rust_iso3166::iso3166_2::from_code(&full).map(|iso| (iso.code, iso.name)));
    match subdivision {
        Some((code, name)) => SubdivisionLookup::Known { code, name },
        None => SubdivisionLookup::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Country, texts in place of a province code separated by `|`, and the code that they mean.
    const PROVINCES: [(&str, &str, &str); 16] = [
        (
            "US",
            "California|CALIFORNIA|US-California|us-ca|C.A.| Ca ",
            "US-CA",
        ),
        ("US", "New York|new-york|NY", "US-NY"),
        (
            "US",
            "District of Columbia|D.C.|Washington D.C.|Washington, DC",
            "US-DC",
        ),
        ("US", "Puerto Rico|PR", "US-PR"),
        ("CA", "Ontario|CA-Ontario|ON|O.N.", "CA-ON"),
        ("CA", "Québec|quebec|PQ|QC", "CA-QC"),
        ("CA", "Newfoundland|NF|Newfoundland & Labrador", "CA-NL"),
        (
            "AU",
            "new south wales|New South Wales|N.S.W.|AU-NSW|NSW",
            "AU-NSW",
        ),
        ("AU", "AU-Victoria|vic|V.I.C.", "AU-VIC"),
        ("DE", "Bayern|DE-Bayern|Baden-Württemberg", "DE-"),
        ("SA", "Al-Bahah|Al Bahah", "SA-"),
        ("PR", "PR|US-PR", "US-PR"),
        ("RE", "RE|FR-RE|FR-974", "FR-"),
        ("HK", "CN-HK", "CN-HK"),
        ("GB", "England|UK-ENG", "GB-ENG"),
        ("VN", "Ha Noi|Hà Nội|VN-HN", "VN-HN"),
    ];

    #[test]
    fn a_province_is_known_by_code_and_by_name() {
        for (country, texts, wanted) in PROVINCES {
            for text in texts.split('|') {
                let found = Country::from_code(country).unwrap().province(text);
                let SubdivisionLookup::Known { code, .. } = found else {
                    panic!("{country} {text}: {found:?}");
                };
                assert!(code.starts_with(wanted), "{country} {text}: {code}");
            }
        }
    }

    #[test]
    fn every_name_of_iso_is_known_unless_the_country_has_it_twice() {
        for iso in rust_iso3166::ALL {
            let country = Country::from_code(iso.alpha2).unwrap();
            for own in iso.subdivisions().unwrap_or_default() {
                let codes = country.subdivision_named(own.name);
                let found = country.province(own.name);
                let is_known = matches!(found, SubdivisionLookup::Known { .. });
                assert!(is_known || codes.is_none(), "{}: {found:?}", own.code);
                let by_code = country.province(own.code);
                assert!(
                    matches!(by_code, SubdivisionLookup::Known { code, .. } if code == own.code),
                    "{by_code:?}"
                );
            }
        }
    }

    #[test]
    fn other_texts_stay_unknown_or_contradict() {
        let us = Country::from_code("US").unwrap();
        for text in [
            "",
            "-",
            "QQ",
            "US-QQ",
            "Atlantis",
            "Ontario",
            "US-Ontario",
            "日本",
            "\0",
        ] {
            assert_eq!(us.province(text), SubdivisionLookup::Unknown, "{text}");
        }
        for text in ["CA-ON", "DE-BY", "ca-zz"] {
            let found = us.province(text);
            assert!(
                matches!(found, SubdivisionLookup::OtherCountry(_)),
                "{text}"
            );
        }
    }
}
