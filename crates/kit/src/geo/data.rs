//! Country names that differ from ISO 3166-1, and the lists of countries with special rules.

/// Names shown instead of ISO's names, sorted by code. ISO's short names are made for sorted lists
/// (`Korea (Republic of)`), or are longer than the usual names. Source: the English territory names
/// of the Unicode CLDR; the plain name is used if CLDR adds an explanation (`Myanmar (Burma)`,
/// `Hong Kong SAR China`, `Congo - Kinshasa`).
pub(super) const SHOWN_NAMES: &[(&str, &str)] = &[
    ("BN", "Brunei"),
    ("BO", "Bolivia"),
    ("BQ", "Caribbean Netherlands"),
    ("CD", "Democratic Republic of the Congo"),
    ("CG", "Republic of the Congo"),
    ("CV", "Cape Verde"),
    ("FK", "Falkland Islands"),
    ("FM", "Micronesia"),
    ("GB", "United Kingdom"),
    ("IR", "Iran"),
    ("KP", "North Korea"),
    ("KR", "South Korea"),
    ("LA", "Laos"),
    ("MD", "Moldova"),
    ("MF", "Saint Martin"),
    ("NL", "Netherlands"),
    ("PN", "Pitcairn Islands"),
    ("PS", "Palestine"),
    ("RU", "Russia"),
    ("SH", "Saint Helena"),
    ("ST", "São Tomé and Príncipe"),
    ("SX", "Sint Maarten"),
    ("SY", "Syria"),
    ("TW", "Taiwan"),
    ("TZ", "Tanzania"),
    ("US", "United States"),
    ("VA", "Vatican City"),
    ("VE", "Venezuela"),
    ("VG", "British Virgin Islands"),
    ("VI", "U.S. Virgin Islands"),
    ("VN", "Vietnam"),
];

/// Sorted by code. Source: the address formats of Google's libaddressinput without a field for
/// postal codes. Added are `KP`, for which the Universal Postal Union knows no codes, and `TZ`,
/// where codes are hardly in use. Doubtful countries are in the list. A country listed by mistake
/// only lacks a check; a country missing by mistake has its orders without postal codes refused.
pub(super) const WITHOUT_POSTAL_CODES: &[&str] = &[
    "AE", "AG", "AO", "AQ", "AW", "BF", "BI", "BJ", "BO", "BQ", "BS", "BV", "BW", "BZ", "CD", "CF",
    "CG", "CI", "CK", "CM", "CW", "DJ", "DM", "ER", "FJ", "GA", "GD", "GH", "GM", "GQ", "GY", "HK",
    "JM", "KI", "KM", "KN", "KP", "LC", "LY", "ML", "MO", "MR", "MS", "MW", "NR", "NU", "PA", "PS",
    "QA", "RW", "SB", "SC", "SL", "SR", "SS", "ST", "SX", "SY", "TD", "TF", "TG", "TK", "TL", "TO",
    "TT", "TV", "TZ", "UG", "VU", "WS", "YE", "ZW",
];

/// Countries in which carriers refuse a parcel without a state or province; sorted by code.
pub(super) const WITH_REQUIRED_PROVINCE: &[&str] = &["AU", "CA", "US"];

/// Member states, sorted by code. Source: the list that the European Union publishes (since
/// 2020-02-01 without the United Kingdom).
pub(super) const EUROPEAN_UNION: &[&str] = &[
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];

/// Codes of countries, each with the codes of its subdivisions that are also countries. Source: the
/// notes "also in ISO 3166-1" of ISO 3166-2 for `CN`, `FR`, `NL` and `US`.
pub(super) const LISTED_TWICE: &[(&str, &[&str])] = &[
    ("CN", &["HK", "MO", "TW"]),
    (
        "FR",
        &[
            "BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT",
        ],
    ),
    ("NL", &["AW", "CW", "SX"]),
    ("US", &["AS", "GU", "MP", "PR", "UM", "VI"]),
];

/// Codes and names in place of a state in addresses of United States military post offices; missing
/// in ISO 3166-2. Source: USPS Publication 28, appendix B.
pub(super) const MILITARY_STATES: &[(&str, &str)] = &[
    ("US-AA", "Armed Forces Americas"),
    ("US-AE", "Armed Forces Europe, Middle East and Africa"),
    ("US-AP", "Armed Forces Pacific"),
];
