//! The meaning of a country's name together with a country's code.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Country;
use super::data::{SHARED_NAMES, TERRITORIES};
use super::names::{MAX_NAME_CHARS, key};

/// Meaning of a country's name in an address that also has the code of a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameMeaning {
    /// The name is a name of the country, or not known as the name of any country.
    Agrees,
    /// The name is that of a territory of the country: `Puerto Rico` with `US`.
    Territory(Country),
    /// The name is that of the country to which the territory belongs: `France` with `RE`.
    Sovereign(Country),
    /// Several countries share the name, and this country is one of them: `Congo` with `CD`.
    Shared,
    /// The name is that of another country.
    Other(Country),
}

impl Country {
    /// Returns the meaning of the country name `name` in an address with this country's code.
    /// Prefer [`from_name`](Self::from_name) for an address without a code.
    ///
    /// ```
    /// use pressline_kit::geo::{Country, NameMeaning};
    ///
    /// let country = |code| Country::from_code(code).unwrap();
    /// let meaning = country("GB").meaning_of("Jersey");
    /// assert_eq!(meaning, NameMeaning::Territory(country("JE")));
    /// ```
    pub fn meaning_of(self, name: &str) -> NameMeaning {
        let country = Self::from_name(name);
        if country == Some(self) {
            return NameMeaning::Agrees;
        }
        let codes = shared_by(name);
        if codes.contains(&self.code) {
            return NameMeaning::Shared;
        }
        let sharing = codes.iter().filter_map(|code| Self::from_code(code));
        let mut territories = sharing.filter(|sharing| self.has_territory(*sharing));
        if let (Some(territory), None) = (territories.next(), territories.next()) {
            return NameMeaning::Territory(territory);
        }
        match country {
            None => NameMeaning::Agrees,
            Some(country) if self.has_territory(country) => NameMeaning::Territory(country),
            Some(country) if country.has_territory(self) => NameMeaning::Sovereign(country),
            Some(country) => NameMeaning::Other(country),
        }
    }

    /// Returns `true` if `other` has a code of its own, but belongs to this country.
    pub fn has_territory(self, other: Self) -> bool {
        let mut territories = TERRITORIES.iter();
        let own = territories.find(|(country, _)| *country == self.code);
        own.is_some_and(|(_, codes)| codes.contains(&other.code))
    }
}

/// Codes of the countries that share a name, by the [`key`] of the name.
static SHARED: LazyLock<HashMap<String, &[&str]>> = LazyLock::new(|| {
    let shared = SHARED_NAMES.iter();
    shared.map(|(name, codes)| (key(name), *codes)).collect()
});

/// Returns the codes of the countries that share `name`; empty if it is not shared.
fn shared_by(name: &str) -> &'static [&'static str] {
    if name.chars().count() > MAX_NAME_CHARS {
        return &[];
    }
    SHARED.get(&key(name)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn country(code: &str) -> Country {
        Country::from_code(code).unwrap()
    }

    /// Code, names separated by `|`, and the code of the country that they name.
    const TERRITORY_NAMES: [(&str, &str, &str); 18] = [
        ("US", "Puerto Rico|PUERTO RICO|PRI", "PR"),
        ("US", "Guam", "GU"),
        ("US", "U.S. Virgin Islands|USVI", "VI"),
        ("FR", "Réunion|La Reunion|Reunion Island", "RE"),
        ("FR", "Guadeloupe", "GP"),
        ("GB", "Jersey", "JE"),
        ("GB", "Isle of Man", "IM"),
        ("UK", "Gibraltar", "GI"),
        ("NL", "Curaçao|Curacao", "CW"),
        ("DK", "Greenland", "GL"),
        ("FI", "Åland|Aland Islands", "AX"),
        ("CN", "Hong Kong|Hong Kong SAR", "HK"),
        ("NO", "Svalbard", "SJ"),
        ("US", "Virgin Islands", "VI"),
        ("GB", "Virgin Islands", "VG"),
        ("FR", "Saint Martin|Sint Maarten", "MF"),
        ("NL", "Saint Martin|Sint Maarten", "SX"),
        ("US", "Samoa", "AS"),
    ];

    #[test]
    fn a_territory_is_known_with_the_code_of_its_country() {
        for (code, names, territory) in TERRITORY_NAMES {
            for name in names.split('|') {
                let meaning = country(code).meaning_of(name);
                assert_eq!(
                    meaning,
                    NameMeaning::Territory(country(territory)),
                    "{name}"
                );
            }
        }
        let meaning = country("RE").meaning_of("France");
        assert_eq!(meaning, NameMeaning::Sovereign(country("FR")));
    }

    #[test]
    fn territories_are_known_by_every_name_and_belong_to_one_country() {
        for (sovereign, territories) in TERRITORIES {
            for code in *territories {
                let territory = country(code);
                let owners = Country::all().filter(|other| other.has_territory(territory));
                assert_eq!(owners.map(Country::code).collect::<Vec<_>>(), [*sovereign]);
                let meaning = country(sovereign).meaning_of(territory.name());
                assert_eq!(meaning, NameMeaning::Territory(territory), "{territory:?}");
                let meaning = territory.meaning_of(country(sovereign).name());
                let shared = meaning == NameMeaning::Shared;
                assert!(shared || meaning == NameMeaning::Sovereign(country(sovereign)));
            }
        }
    }

    #[test]
    fn a_shared_name_means_the_country_of_the_code() {
        for (name, codes) in SHARED_NAMES {
            for code in *codes {
                let meaning = country(code).meaning_of(name);
                let own = Country::from_name(name) == Some(country(code));
                let wanted = if own {
                    NameMeaning::Agrees
                } else {
                    NameMeaning::Shared
                };
                assert_eq!(meaning, wanted, "{name} {code}");
            }
            let meaning = country("JP").meaning_of(name);
            assert!(!matches!(
                meaning,
                NameMeaning::Shared | NameMeaning::Territory(_)
            ));
        }
    }

    #[test]
    fn the_name_of_any_other_country_contradicts_the_code() {
        for (code, name, other) in [
            ("FR", "Germany", "DE"),
            ("US", "Canada", "CA"),
            ("US", "Palau", "PW"),
            ("NG", "Niger", "NE"),
            ("CD", "Republic of the Congo", "CG"),
            ("JE", "Guernsey", "GG"),
        ] {
            let meaning = country(code).meaning_of(name);
            assert_eq!(meaning, NameMeaning::Other(country(other)), "{code} {name}");
        }
        for name in ["Atlantis", "", "Greece", "EL", "Hellas"] {
            assert_eq!(
                country("EL").meaning_of(name),
                NameMeaning::Agrees,
                "{name}"
            );
        }
    }
}
