//! Tests of the country tables against ISO 3166 and against themselves.
use std::collections::{BTreeSet, HashMap};

use super::aliases::aliases;
use super::data::*;
use super::*;

fn named(name: &str) -> Option<&'static str> {
    Country::from_name(name).map(Country::code)
}

#[test]
fn every_country_of_iso_3166_and_kosovo_is_there_once() {
    let ours: Vec<&str> = Country::all().map(Country::code).collect();
    assert!(ours.is_sorted());
    let mut iso: BTreeSet<&str> = rust_iso3166::ALL
        .iter()
        .map(|country| country.alpha2)
        .collect();
    assert_eq!(iso.len(), 249);
    iso.insert("XK");
    assert_eq!(ours, iso.into_iter().collect::<Vec<_>>());
    let names: BTreeSet<&str> = Country::all().map(Country::name).collect();
    assert_eq!(names.len(), 250);
}

#[test]
fn names_are_short_and_common() {
    let cases = [
        ("US", "United States"),
        ("GB", "United Kingdom"),
        ("VN", "Vietnam"),
        ("KR", "South Korea"),
        ("KP", "North Korea"),
        ("RU", "Russia"),
        ("TW", "Taiwan"),
        ("BO", "Bolivia"),
        ("CZ", "Czechia"),
        ("LA", "Laos"),
        ("XK", "Kosovo"),
        ("HK", "Hong Kong"),
        ("TR", "Türkiye"),
        ("NL", "Netherlands"),
        ("VA", "Vatican City"),
        ("IR", "Iran"),
    ];
    for (code, name) in cases {
        assert_eq!(Country::from_code(code).map(Country::name), Some(name));
    }
    for country in Country::all() {
        let name = country.name();
        assert!(
            name == "Cocos (Keeling) Islands"
                || !name.contains(['(', ',', '&', '’']) && name.trim() == name,
            "{name}"
        );
    }
}

#[test]
fn codes_in_either_case_and_the_uk() {
    let code = |text| Country::from_code(text).map(Country::code);
    assert_eq!(code("us"), Some("US"));
    assert_eq!(code(" vN "), Some("VN"));
    assert_eq!(code("UK"), Some("GB"));
    assert_eq!(code("XK"), Some("XK"));
    for unknown in ["", "U", "USA", "ZZ", "é", "日", "U\0", "EU"] {
        assert_eq!(code(unknown), None, "{unknown}");
    }
}

#[test]
fn every_known_name_means_one_country() {
    let mut keys: HashMap<String, Country> = HashMap::new();
    for (name, country) in names::known_names() {
        let key = names::key(&name);
        assert!(!key.is_empty(), "{name}");
        let first = *keys.entry(key).or_insert(country);
        assert_eq!(first, country, "{name} names two countries");
        assert_eq!(Country::from_name(&name), Some(country), "{name}");
    }
    let codes: BTreeSet<&str> = aliases().map(|(code, _)| code).collect();
    assert!(
        codes
            .iter()
            .all(|code| Country::from_code(code).is_some_and(|country| country.code() == *code))
    );
}

#[test]
fn no_alias_is_superfluous() {
    let mut keys: BTreeSet<String> = Country::all()
        .map(|country| names::key(country.name()))
        .collect();
    let twice: Vec<_> = aliases()
        .filter(|(_, name)| !keys.insert(names::key(name)))
        .collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn codes_are_names() {
    for iso in rust_iso3166::ALL {
        assert_eq!(named(iso.alpha2), Some(iso.alpha2));
        assert_eq!(named(&iso.alpha3.to_ascii_lowercase()), Some(iso.alpha2));
    }
    assert_eq!(named("XKX"), Some("XK"));
}

/// Country codes, each with names for the country as people write them, separated by `|`.
const WRITTEN: &[(&str, &str)] = &[
    (
        "US",
        "USA|U.S.A.|US|u.s.|united states|The United States of America|UNITED STATES OF AMERICA (THE)|America",
    ),
    (
        "GB",
        "UK|U.K.|Great Britain|England|scotland|United Kingdom of Great Britain and Northern Ireland",
    ),
    (
        "VN",
        "Viet Nam|Vietnam|VIỆT NAM|Socialist Republic of Viet Nam",
    ),
    (
        "KR",
        "South Korea|Korea (Republic of)|Republic of Korea|Korea, Republic of|Korea, the Republic of|Korea",
    ),
    (
        "KP",
        "North Korea|Democratic People's Republic of Korea|Korea (Democratic People's Republic of)",
    ),
    ("CZ", "Czech Republic|Czechia|Česko"),
    (
        "NL",
        "Holland|The Netherlands|Netherlands|Kingdom of the Netherlands",
    ),
    (
        "AE",
        "UAE|U.A.E.|United Arab Emirates|the united arab emirates",
    ),
    ("TR", "Türkiye|Turkey|Turkiye|Republic of Türkiye"),
    (
        "CI",
        "Ivory Coast|Côte d'Ivoire|Cote d’Ivoire|Cote d Ivoire|COTE DIVOIRE",
    ),
    ("MM", "Burma|Myanmar|Myanmar (Burma)"),
    ("SZ", "Swaziland|Eswatini|Kingdom of Eswatini"),
    (
        "MK",
        "Macedonia|North Macedonia|Republic of North Macedonia",
    ),
    (
        "CD",
        "Democratic Republic of the Congo|Congo, Democratic Republic of the|DRC",
    ),
    ("CG", "Congo|Republic of the Congo"),
    (
        "KN",
        "St. Kitts & Nevis|Saint Kitts and Nevis|St Kitts-Nevis",
    ),
    ("TT", "Trinidad & Tobago|Trinidad and Tobago"),
    ("RU", "Russia|Russian Federation|the Russian Federation"),
    ("DE", "Germany|Federal Republic of Germany|Deutschland"),
    (
        "CN",
        "China|PRC|People's Republic of China|People’s Republic of China",
    ),
    (
        "TW",
        "Taiwan|Taiwan, Province of China|Republic of China|Taiwan (R.O.C.)",
    ),
    ("IE", "Ireland|Republic of Ireland|Éire"),
    (
        "VI",
        "U.S. Virgin Islands|Virgin Islands (U.S.)|Virgin Islands, U.S.|US Virgin Islands",
    ),
    (
        "VG",
        "British Virgin Islands|Virgin Islands (British)|Virgin Islands, British",
    ),
    ("MO", "Macau|Macao"),
    ("SX", "Sint Maarten"),
    ("MF", "Saint Martin|St. Martin (French part)"),
    ("AD", "AND"),
    ("ST", "st"),
    ("WS", "Independent State of Samoa|Samoa"),
    ("AS", "American Samoa"),
];

#[test]
fn names_people_write() {
    for (code, names) in WRITTEN {
        for name in names.split('|') {
            assert_eq!(named(name), Some(*code), "{name}");
        }
    }
}

#[test]
fn a_text_that_names_no_country_or_several_is_unknown() {
    let names = [
        "",
        " ",
        "the",
        "of",
        "Republic of",
        "Republic",
        "Virgin Islands",
        "Democratic Republic of Korea",
        "Atlantis",
        "Kingdom of Nowhere",
        "Province of China",
        "California",
        "()",
        "EU",
        "🇺🇸",
    ];
    for name in names {
        assert_eq!(named(name), None, "{name}");
    }
    assert_eq!(named(&"United States ".repeat(1000)), None);
}

#[test]
fn lists_of_rules_are_sorted_and_known() {
    for list in [WITH_REQUIRED_PROVINCE, EUROPEAN_UNION] {
        assert!(list.is_sorted_by(|a, b| a < b));
        assert!(
            list.iter().all(|code| Country::from_code(code).is_some_and(|country| country.code() == *code))
        );
    }
    assert_eq!(EUROPEAN_UNION.len(), 27);
}

#[test]
fn rules() {
    let codes = |rule: fn(Country) -> bool| {
        Country::all()
            .filter(|country| rule(*country))
            .map(Country::code)
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(Country::province_required), ["AU", "CA", "US"]);
    assert_eq!(codes(Country::requires_tax_number), ["MX"]);
    assert_eq!(codes(Country::recommends_tax_number).len(), 28);
    let without: Vec<&str> = codes(|country| !country.has_postal_codes());
    for code in ["HK", "AE", "QA", "JM", "PA", "GH", "KP", "MO", "BS", "ZW"] {
        assert!(without.contains(&code), "{code}");
    }
    for code in [
        "US", "VN", "GB", "IE", "DE", "JP", "KR", "MX", "BR", "IN", "TW", "SA", "PR", "XK", "KE",
        "CR",
    ] {
        assert!(!without.contains(&code), "{code}");
    }
}

fn found(country: &str, code: &str) -> SubdivisionLookup {
    Country::from_code(country).unwrap().subdivision(code)
}

#[test]
fn subdivisions_of_one_country() {
    let california = SubdivisionLookup::Known {
        code: "US-CA",
        name: "California",
    };
    for code in ["US-CA", "CA", "ca", "us-ca", " CA "] {
        assert_eq!(found("US", code), california);
    }
    let ontario = SubdivisionLookup::OtherCountry(Country::from_code("CA").unwrap());
    assert_eq!(found("US", "CA-ON"), ontario);
    assert_eq!(
        found("US", "CA-ZZ"),
        ontario,
        "the part before the hyphen is enough to contradict the country"
    );
    for code in [
        "ON",
        "US-ZZ",
        "",
        "-",
        "US-",
        "ZZ-CA",
        "California",
        "US-CA-CA",
        "Ω",
        "US-\0",
    ] {
        assert_eq!(found("US", code), SubdivisionLookup::Unknown, "{code}");
    }
    assert_eq!(
        found("GB", "UK-ENG"),
        SubdivisionLookup::Known {
            code: "GB-ENG",
            name: "England"
        }
    );
    assert_eq!(found("XK", "01"), SubdivisionLookup::Unknown);
    assert!(matches!(
        found("PR", "US-PR"),
        SubdivisionLookup::Known { code: "US-PR", .. }
    ));
    assert!(matches!(
        found("HK", "CN-HK"),
        SubdivisionLookup::Known { code: "CN-HK", .. }
    ));
    assert!(matches!(
        found("HK", "CN-BJ"),
        SubdivisionLookup::OtherCountry(_)
    ));
}

#[test]
fn states_and_provinces_are_complete_where_they_are_required() {
    let cases = [
        (
            "US",
            "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA \
                RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AS MP UM AA AE AP",
        ),
        ("CA", "AB BC MB NB NL NS NT NU ON PE QC SK YT"),
        ("AU", "ACT NSW NT QLD SA TAS VIC WA"),
    ];
    for (country, codes) in cases {
        let listed: BTreeSet<String> = codes
            .split_whitespace()
            .map(|code| format!("{country}-{code}"))
            .collect();
        for code in &listed {
            assert!(
                matches!(found(country, code), SubdivisionLookup::Known { code: full, .. } if full == code),
                "{code}"
            );
        }
        let iso = rust_iso3166::from_alpha2(country).unwrap();
        assert!(
            iso.subdivisions()
                .unwrap()
                .iter()
                .all(|part| listed.contains(part.code)),
            "{country} has more"
        );
    }
}

#[test]
fn subdivisions_are_found_by_name() {
    for (country, name, code) in [
        ("US", "Hawaii", Some("US-HI")),
        ("US", " new  york ", Some("US-NY")),
        ("US", "Armed Forces Pacific", Some("US-AP")),
        ("CA", "Québec", Some("CA-QC")),
        ("CA", "quebec", Some("CA-QC")),
        ("CA", "Newfoundland & Labrador", Some("CA-NL")),
        ("US", "Ontario", None),
        ("US", "", None),
        ("VN", "Sài Gòn", None),
    ] {
        assert_eq!(
            Country::from_code(country).unwrap().subdivision_named(name),
            code,
            "{name}"
        );
    }
    let long = "x".repeat(1_000_000);
    assert_eq!(
        Country::from_code("US").unwrap().subdivision_named(&long),
        None
    );
    for country in Country::all() {
        let Some(iso) = rust_iso3166::from_alpha2(country.code()) else {
            continue;
        };
        for subdivision in iso.subdivisions().unwrap_or_default() {
            let found = country.subdivision_named(subdivision.name);
            // A name that two subdivisions of a country share identifies neither.
            let clear = found.is_some() || !country.province_required();
            assert!(
                clear && found.is_none_or(|code| code == subdivision.code),
                "{}",
                subdivision.code
            );
        }
    }
}
