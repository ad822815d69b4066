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

/// Countries in which carriers refuse a parcel without a state or province; sorted by code.
pub(super) const WITH_REQUIRED_PROVINCE: &[&str] = &["AU", "CA", "US"];

/// Member states, sorted by code. Source: the list that the European Union publishes (since
/// 2020-02-01 without the United Kingdom).
pub(super) const EUROPEAN_UNION: &[&str] = &[
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];

/// Codes of countries, each with the codes of its territories that have a code of their own. Sources:
/// ISO 3166-1 for the territories, the pages of the governments for the countries they belong to.
/// `XK` is in ISO's list of Serbia's subdivisions. The three states in free association with the
/// United States are not territories.
pub(super) const TERRITORIES: &[(&str, &[&str])] = &[
    ("AU", &["CC", "CX", "HM", "NF"]),
    ("CN", &["HK", "MO", "TW"]),
    ("DK", &["FO", "GL"]),
    ("FI", &["AX"]),
    (
        "FR",
        &[
            "BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT",
        ],
    ),
    (
        "GB",
        &[
            "AI", "BM", "FK", "GG", "GI", "GS", "IM", "IO", "JE", "KY", "MS", "PN", "SH", "TC",
            "VG",
        ],
    ),
    ("NL", &["AW", "BQ", "CW", "SX"]),
    ("NO", &["BV", "SJ"]),
    ("NZ", &["CK", "NU", "TK"]),
    ("RS", &["XK"]),
    ("US", &["AS", "GU", "MP", "PR", "UM", "VI"]),
];

/// Names that several countries share in practice, each with the codes of the countries.
pub(super) const SHARED_NAMES: &[(&str, &[&str])] = &[
    ("China", &["CN", "TW"]),
    ("Congo", &["CD", "CG"]),
    ("Guinea", &["GN", "GQ", "GW", "PG"]),
    ("Guiana", &["GF", "GY"]),
    ("Ireland", &["GB", "IE"]),
    ("Korea", &["KP", "KR"]),
    ("Saint Maarten", &["MF", "SX"]),
    ("Saint Martin", &["MF", "SX"]),
    ("Samoa", &["AS", "WS"]),
    ("Sint Maarten", &["MF", "SX"]),
    ("Sudan", &["SD", "SS"]),
    ("Timor", &["ID", "TL"]),
    ("Virgin Islands", &["VG", "VI"]),
];

/// Names of provinces that ISO 3166-2 lacks, with country and code: former names, and abbreviations
/// that are not codes.
pub(super) const PROVINCE_NAMES: &[(&str, &str, &str)] = &[
    ("CA", "Newfoundland", "CA-NL"),
    ("CA", "NF", "CA-NL"),
    ("CA", "NWT", "CA-NT"),
    ("CA", "PEI", "CA-PE"),
    ("CA", "PQ", "CA-QC"),
    ("CA", "Yukon Territory", "CA-YT"),
    ("US", "Washington DC", "US-DC"),
];

/// Codes and names in place of a state in addresses of United States military post offices; missing
/// in ISO 3166-2. Source: USPS Publication 28, appendix B.
pub(super) const MILITARY_STATES: &[(&str, &str)] = &[
    ("US-AA", "Armed Forces Americas"),
    ("US-AE", "Armed Forces Europe, Middle East and Africa"),
    ("US-AP", "Armed Forces Pacific"),
];
