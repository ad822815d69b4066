//! Postal codes that are usual, but that the metadata lack.
//!
//! These lists are written by hand and come from no source with a version. They decide about warnings
//! only: a missing entry causes a warning too many, and a wrong entry one too few.

/// Forms besides that of the metadata, without separators.
const FURTHER_FORMS: &[(&str, &str)] = &[
    // The longer form.
    ("EG", r"\d{7}"),
    // The code of a single address: `A15E3B4`.
    ("KZ", r"[A-Z]\d{2}[A-Z]\d[A-Z]\d"),
    // The longer form.
    ("MM", r"\d{7}"),
    // The longer form.
    ("PY", r"\d{6}"),
    // With the additional number of a national address.
    ("SA", r"\d{9}"),
    // Tristan da Cunha, which the metadata list as a country of its own.
    ("SH", "TDCU1ZZ"),
    // Without `CP`.
    ("SV", r"\d{4}"),
    // With the letter of a delivery office.
    ("VE", r"\d{4}[A-Z]"),
    // Without the country's code.
    ("LV", r"\d{4}"),
];

/// Prefixes that people write, besides the country's code: the prefix that the metadata name (`FL-`
/// of Liechtenstein), or the distinguishing sign of vehicles.
const PREFIXES: &[(&str, &[&str])] = &[
    ("AT", &["A"]),
    ("BE", &["B"]),
    ("CU", &["CP"]),
    ("DE", &["D"]),
    ("ES", &["E"]),
    ("FI", &["FIN", "SF"]),
    ("FR", &["F"]),
    ("HU", &["H"]),
    ("IT", &["I"]),
    ("LI", &["FL"]),
    ("LU", &["L"]),
    ("NO", &["N"]),
    ("PT", &["P"]),
    ("SE", &["S"]),
    ("SI", &["SLO"]),
    ("SM", &["RSM"]),
    ("VA", &["V"]),
    ("GR", &["EL"]),
    ("MX", &["CP"]),
    ("SG", &["S"]),
    // Territories, with the prefixes of their countries.
    ("AS", &["US"]),
    ("AX", &["FI", "FIN"]),
    ("BL", &["FR", "F"]),
    ("GF", &["FR", "F"]),
    ("GL", &["DK"]),
    ("GP", &["FR", "F"]),
    ("GU", &["US"]),
    ("MF", &["FR", "F"]),
    ("MP", &["US"]),
    ("MQ", &["FR", "F"]),
    ("NC", &["FR", "F"]),
    ("PF", &["FR", "F"]),
    ("PM", &["FR", "F"]),
    ("PR", &["US"]),
    ("RE", &["FR", "F"]),
    ("SJ", &["NO", "N"]),
    ("VI", &["US"]),
    ("WF", &["FR", "F"]),
    ("YT", &["FR", "F"]),
];

/// Countries whose codes never begin with 0, although the form leaves that open; sorted. For all
/// others, a warning about a code that is too short names the code with a first zero.
const WITHOUT_FIRST_ZERO: &[&str] = &[
    "AR", "AT", "BA", "BE", "BG", "BY", "CH", "CL", "CR", "CY", "CZ", "DO", "EG", "FO", "GR", "HR",
    "HU", "ID", "IL", "IN", "IR", "IS", "KG", "LU", "LV", "MD", "MG", "MK", "NE", "NG", "PK", "PT",
    "RS", "RU", "SA", "SE", "SI", "SN", "TH", "TJ", "TN", "TW", "UZ", "VE",
];

pub(super) fn further_forms(country: &str) -> impl Iterator<Item = &'static str> {
    let forms = FURTHER_FORMS.iter();
    forms.filter_map(move |(code, form)| (*code == country).then_some(*form))
}

/// Returns the possible prefixes of a postal code of `country`, the country's code included.
pub(super) fn prefixes(country: &'static str) -> impl Iterator<Item = &'static str> {
    let own = PREFIXES
        .iter()
        .find(|(code, _)| *code == country)
        .map_or(&[][..], |(_, prefixes)| prefixes);
    let alpha3 = rust_iso3166::from_alpha2(country).map(|iso| iso.alpha3);
    own.iter().copied().chain(alpha3).chain([country])
}

pub(super) fn without_first_zero(country: &str) -> bool {
    WITHOUT_FIRST_ZERO.binary_search(&country).is_ok()
}
